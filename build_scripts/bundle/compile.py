"""Compile the application and the modules of the library that it used. compile.mjs runs this file inside Pyodide.

It runs after the exercise and writes /out/stdlib.zip (the used modules of the standard library, compiled), /out/app.zip
and /out/more.zip (the application, compiled), /out/report.txt, and /out/left.txt, a line for each skipped step. An
exercise that sets `FIRST_MODULES` decides which modules are in app.zip. The others are in more.zip, which a page may
load later. All modules of an archive are in one file `shelf` (see `archive_importer.py`). The archive is compressed as
a whole later, because modules resemble each other, and compression of each file alone can't use that.
"""

import _imp
import ast
import io
import marshal
import sys
import types
import zipfile
from importlib._bootstrap_external import _code_to_hash_pyc
from pathlib import Path

import __main__
from __main__ import USED

STDLIB = next(path for path in sys.path if path.endswith(".zip"))
APP = Path("/app")
# Modules imported by name at run time, which the exercise does not show: text codecs, and those of a traceback.
ALWAYS_USED_MODULES = ("encodings", "_colorize", "whole_traceback", "linecache", "tokenize")


def strip_debug_data(code: types.CodeType) -> types.CodeType:
    """Return the code without its table of lines and columns, and without qualified names.

    The table is a third of its bytes. A traceback still names functions. The new table says "no position" for all code,
    eight units of code an entry, so that it stays valid for every reader.
    """
    units = len(code.co_code) // 2
    table = bytes([NO_LINE_ENTRY | 7]) * (units // 8) + (bytes([NO_LINE_ENTRY | (units % 8 - 1)]) if units % 8 else b"")
    constants = (strip_debug_data(value) if isinstance(value, types.CodeType) else value for value in code.co_consts)
    return code.replace(co_linetable=table, co_consts=tuple(constants), co_qualname=code.co_name)


NO_LINE_ENTRY = 0x80 | 15 << 3
"""An entry without a position in CPython's line table; its lowest three bits are the number of code units minus one."""


def can_strip_line_table() -> bool:
    """Return whether this Python reads no line and no column from a stripped table."""
    code = strip_debug_data(compile("def f(a):\n    return [each for each in a if each]\n", "f", "exec")).co_consts[0]
    positions = [*code.co_positions()]
    return len(positions) == len(code.co_code) // 2 and set(positions) == {(None, None, None, None)}


KEEPS_LINE_TABLE = not can_strip_line_table()


class TypeHintRemover(ast.NodeTransformer):
    """Removes what only type checkers read: hints of functions and of a module's variables.

    Hints in classes stay, because dataclasses and named tuples read them.
    """

    def visit_Module(self, module: ast.Module) -> ast.AST:
        """Remove the hints of variables, and the statements under `if TYPE_CHECKING`."""
        module.body = [kept for statement in module.body for kept in self.replace_typed_statement(statement)]
        return self.generic_visit(module)

    def visit_FunctionDef(self, function: ast.FunctionDef) -> ast.AST:
        """Remove the hints of the parameters and of the result."""
        parameters = function.args
        optional = [each for each in (parameters.vararg, parameters.kwarg) if each]
        for each in (*parameters.posonlyargs, *parameters.args, *parameters.kwonlyargs, *optional):
            each.annotation = None
        function.returns = None
        return self.generic_visit(function)

    @staticmethod
    def replace_typed_statement(statement: ast.stmt) -> list[ast.stmt]:
        """Return the statements of a module that replace one of them."""
        match statement:
            case ast.AnnAssign(target=target, value=value):
                return [ast.copy_location(ast.Assign([target], value), statement)] if value else []
            case ast.If(test=ast.Name("TYPE_CHECKING") | ast.Attribute(attr="TYPE_CHECKING")):
                return statement.orelse
        return [statement]


def compile_source(source: bytes | str, name: str) -> types.CodeType:
    """Compile without docstrings, type hints and, if their format is known, debug data."""
    tree = ast.fix_missing_locations(TypeHintRemover().visit(ast.parse(source, name)))
    code = compile(tree, name, "exec", dont_inherit=True, optimize=2)
    return code if KEEPS_LINE_TABLE else strip_debug_data(code)


def compile_pyc(source: bytes | str, name: str) -> bytes:
    """Compile to the bytes of a .pyc file that Python never compares with a source."""
    return bytes(_code_to_hash_pyc(compile_source(source, name), bytes(8), False))


def write_code_archive(path: str, code_by_path: dict[str, types.CodeType], plain_files: dict[str, bytes]) -> None:
    """Write an uncompressed archive: modules by path on a shelf, and more files unchanged."""
    index: dict[str, tuple[bool, int, int]] = {}
    codes = b""
    for name in sorted(code_by_path):
        code = marshal.dumps(code_by_path[name])
        module = name.removesuffix(".py")
        index[module.removesuffix("/__init__")] = (module.endswith("/__init__"), len(codes), len(code))
        codes += code
    index_data = marshal.dumps(index)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        for name, data in {"shelf": len(index_data).to_bytes(4, "little") + index_data + codes, **plain_files}.items():
            archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), data)


def strip_debug_data_if_code(marshalled: bytes) -> bytes:
    """Strip the debug data of a marshalled value of `build_cache` if the value is code."""
    value = marshal.loads(marshalled)
    is_code = isinstance(value, types.CodeType) and not KEEPS_LINE_TABLE
    return marshal.dumps(strip_debug_data(value)) if is_code else marshalled


def embed_cached_values(build_cache_source: str) -> str:
    """Return the source of the module `build_cache` with every value that the exercise cached."""
    import build_cache

    values = {key: strip_debug_data_if_code(value) for key, value in build_cache.VALUES.items()}
    return build_cache_source.replace("VALUES = {}", f"VALUES = {values!r}").replace(
        "IS_BUILDING = True", "IS_BUILDING = False"
    )


def module_name_of(file_name: str) -> str:
    """Return the name of the module in a file, such as `json.decoder` for `json/decoder.py`."""
    return file_name.removesuffix(".py").replace("/", ".").removesuffix(".__init__")


def compile_imported_stdlib_files() -> dict[str, types.CodeType]:
    """Compile the imported modules of the standard library, by their names in the archive."""
    files = {}
    with zipfile.ZipFile(io.BytesIO(Path(STDLIB).read_bytes())) as archive:
        for name in archive.namelist():
            if not name.endswith(".py"):
                continue
            module = module_name_of(name)
            always = any(module == entry or module.startswith(entry + ".") for entry in ALWAYS_USED_MODULES)
            if module in FROZEN_MODULES | LOADED_BEFORE_MODULES:
                continue
            if module in USED or ((always and not module.startswith("encodings.")) or module in CODEC_MODULES):
                source = archive.read(name).decode()
                files[name] = compile_source(embed_cached_values(source) if module == "build_cache" else source, name)
    return files


FROZEN_MODULES = set(_imp._frozen_module_names())
"""Modules that are built into the interpreter."""

LOADED_BEFORE_MODULES = {
    name
    for name in ("importlib._bootstrap", "importlib._bootstrap_external")
    if sys.modules[name].__spec__.origin == "frozen"
}
"""Modules of the library that are other names of frozen ones."""

CODEC_MODULES = {f"encodings.{name}" for name in ("aliases", "ascii", "cp437", "idna", "latin_1", "utf_8", "utf_8_sig")}
INSTALL_FINDER_SOURCE = b"from archive_importer import install_finder\ninstall_finder(__path__[0].rpartition('/')[0])\n"
"""The first statements of `encodings` in the trimmed library."""

stdlib = compile_imported_stdlib_files()
sources = {str(source.relative_to(APP)): source.read_bytes() for source in sorted(APP.rglob("*.py"))}
importer = {"archive_importer.pyc": compile_pyc(sources.pop("archive_importer.py"), "archive_importer.py")}
app = {name: compile_source(source, name) for name, source in sources.items()}
with zipfile.ZipFile(STDLIB) as archive:
    encodings = compile_pyc(INSTALL_FINDER_SOURCE + archive.read("encodings/__init__.py"), "encodings/__init__.py")
write_code_archive("/out/stdlib.zip", stdlib, {**importer, "encodings/__init__.pyc": encodings})
first_modules = getattr(__main__, "FIRST_MODULES", None)
first = {name: code for name, code in app.items() if first_modules is None or module_name_of(name) in first_modules}
write_code_archive("/out/app.zip", first, importer)
write_code_archive("/out/more.zip", {name: code for name, code in app.items() if name not in first}, {})
Path("/out/report.txt").write_text(f"{len(stdlib)} modules of the standard library, {len(app)} of the application")
Path("/out/left.txt").write_text("the line table has an unknown format\n" if KEEPS_LINE_TABLE else "")
