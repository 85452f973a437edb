"""The import ladder: each module of the engine imports only from those above it."""

import ast
import sys
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import scratch_core

pytestmark = pytest.mark.heavy  # it reads sources

PACKAGE = Path(scratch_core.__file__).parent
LADDER = (
    "errors",
    "normalization",
    "figures",
    "record_copies",
    "file_formats",
    "rulebook",
    "dice",
    "characters",
    "cast",
    "board",
    "turn_systems",
    "encounter",
    "scenario",
    "odds",
    "api",
    "calculators",
    "cli",
    "__main__",
)
FORBIDDEN = {"random", "time", "datetime", "pathlib", "html", "urllib.request", "socket", "os"}
MODULES = sorted(path for path in PACKAGE.rglob("*.py") if path != PACKAGE / "__init__.py")


def rung(path: Path) -> str:
    """The ladder's name for a module's file."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imports(path: Path) -> list[str]:
    """The modules that a file imports, by their full names."""
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
            found += names if node.module == "scratch_core" else [str(node.module)]
    return found


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_modules_import_only_from_above(path: Path) -> None:
    """A module imports only its own rung, those above and the standard library."""
    own = LADDER.index(rung(path))
    for name in imports(path):
        top, *rest = name.split(".")
        if rest == ["__version__"]:
            continue  # a constant number, which any module may import
        if top == "scratch_core":
            assert LADDER.index(rest[0]) <= own, f"{path.name} imports {name}, which is below it"
        else:
            assert top in sys.stdlib_module_names, f"{path.name} imports {name}: the engine is standard library only"
            if LADDER[own] not in ("cli", "__main__"):
                assert name not in FORBIDDEN, f"{path.name} imports {name}: the engine is pure"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_no_module_imports_private_names_of_another(path: Path) -> None:
    """No module imports another's private names."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            private = [alias.name for alias in node.names if alias.name.startswith("_") and alias.name != "__version__"]
            assert not private, f"{path.name} imports {', '.join(private)} from {node.module}"


NAMES = {
    ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__"): path for path in MODULES
}


def needed(path: Path) -> set[str]:
    """Return the engine's modules that a file imports, inside functions too.

    Of a package, the named module is returned if there is one.
    """
    found = set(imports(path))
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
            found -= {node.module} if all(f"{node.module}.{alias.name}" in NAMES for alias in node.names) else set()
    return found & set(NAMES)


def hold_no_circle(graph: dict[str, set[str]]) -> None:
    """Raises CycleError, which names the circle, where something needs itself by way of others."""
    TopologicalSorter({name: others - {name} for name, others in graph.items()}).prepare()


def test_engine_modules_have_no_circular_imports() -> None:
    """No module of the engine needs itself by way of others, imports inside functions counted."""
    hold_no_circle({name: needed(path) for name, path in NAMES.items()})


def room(module: str) -> str:
    """Return a module's room: a folder of the engine or calculators, or a file."""
    parts = module.split(".")
    return ".".join(parts[: 3 if parts[1:2] == ["calculators"] else 2])


def test_engine_packages_have_no_circular_imports() -> None:
    """No room imports itself through other rooms."""
    rooms: dict[str, set[str]] = {}
    for module, path in NAMES.items():
        rooms.setdefault(room(module), set()).update(map(room, needed(path)))
    hold_no_circle(rooms)
