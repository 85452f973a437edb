"""Build the bundle without Node, in its own process, and print the project's files that it opens.

`python -m tests.build.bundle_inputs FOLDER` builds into that folder; test_bundle_inputs.py reads the output.
"""

import sys
from pathlib import Path

COMPILED_FILES = ("stdlib.zip", "app.zip", "more.zip", "left.txt")
opened: set[Path] = set()
paused: list[bool] = []


def record_opened_file(event: str, arguments: tuple[object, ...]) -> None:
    """Record an opened file, and for a compiled module its source."""
    if event == "open" and not paused and isinstance(arguments[0], str | bytes | Path):
        path = Path(arguments[0] if not isinstance(arguments[0], bytes) else arguments[0].decode())
        is_compiled = path.parent.name == "__pycache__"
        opened.add(path.parent.parent / f"{path.name.partition('.')[0]}.py" if is_compiled else path)


sys.addaudithook(record_opened_file)

from build_scripts import bundle  # noqa: E402 -- what importing opens is heard too
from build_scripts.browser_app import build  # noqa: E402
from build_scripts.paths import ROOT  # noqa: E402


def main(folder: Path) -> None:
    """Build into the folder, and print the project's files that the build opens.

    Installed and built files are left out.
    """
    bundle.build.run_node = create_empty_outputs
    paused.append(True)
    examples = list(
        build.list_example_queries()
    )  # their text is an input, but the files that listing them opens are not
    paused.clear()
    build.list_example_queries = lambda: iter(examples)
    build.ensure_current_bundle(build.build_app_description(folder))
    outside = {".venv", "build", "node_modules", folder.name, "__pycache__"}
    inside = {path.resolve() for path in opened if path.suffix and path.resolve().is_relative_to(ROOT)}
    for path in sorted(each.relative_to(ROOT) for each in inside if each.is_file()):
        if path.parts[0] not in outside and path.parts[:2] != ("tests", "build"):
            print(path.as_posix())


def create_empty_outputs(script: Path, *arguments: object) -> int:
    """Create empty files instead of running Node, and return the exit code 0."""
    is_compression = script.stem == "compress"
    made = arguments[2::2] if is_compression else [f"{arguments[3]}/{name}" for name in COMPILED_FILES]
    for path in made:
        Path(str(path)).touch()
    return 0


if __name__ == "__main__":
    main(Path(sys.argv[1]))
