"""Run inside Pyodide by compile.mjs, after the exercise: compile the application and what it used of the library.

Writes /out/stdlib.zip.gz (the standard library's modules that were used, compiled), /out/app.zip.gz (all that was laid
out of the application), /out/report.txt, and /out/left.txt, a line for what is not done. Each archive holds its modules
on a shelf (see `archive_importer.py`) and is packed as a whole: a module looks like the next one, which a file packed
alone can't know.
"""

import _imp
import gzip
import io
import marshal
import sys
import types
import zipfile
from importlib._bootstrap_external import _code_to_hash_pyc
from pathlib import Path

from __main__ import USED

STDLIB = next(path for path in sys.path if path.endswith(".zip"))
APP = Path("/app")
# Asked for by name at run time, where importing alone would not show it: text codecs and the words of a traceback.
ALWAYS_USED_MODULES = ("encodings", "_colorize", "whole_traceback", "linecache", "tokenize")


def strip_line_table(code: types.CodeType) -> types.CodeType:
    """The same code without the table of lines and columns, a third of its bytes; a traceback still names functions.

    The table says "no place" for all of it, eight units of code an entry, so that nothing that reads it stumbles.
    """
    units = len(code.co_code) // 2
    table = bytes([NO_LINE_ENTRY | 7]) * (units // 8) + (bytes([NO_LINE_ENTRY | (units % 8 - 1)]) if units % 8 else b"")
    inner = (strip_line_table(each) if isinstance(each, types.CodeType) else each for each in code.co_consts)
    return code.replace(co_linetable=table, co_consts=tuple(inner))


NO_LINE_ENTRY = 0x80 | 15 << 3
"""An entry of CPython's table of places without one; its lowest three bits count units of code, less one."""


def can_strip_line_table() -> bool:
    """Whether such a table says what it should: for each unit of code no line and no column."""
    code = strip_line_table(compile("def f(a):\n    return [each for each in a if each]\n", "f", "exec")).co_consts[0]
    places = [*code.co_positions()]
    return len(places) == len(code.co_code) // 2 and set(places) == {(None, None, None, None)}


KEEPS_LINE_TABLE = not can_strip_line_table()


def compile_source(source: bytes | str, name: str) -> types.CodeType:
    """Compile; docstrings stay out, and places where their table has the form that is known here."""
    code = compile(source, name, "exec", dont_inherit=True, optimize=2)
    return code if KEEPS_LINE_TABLE else strip_line_table(code)


def compile_pyc(source: bytes | str, name: str) -> bytes:
    """Compile to the bytes of a .pyc that is never checked against a source."""
    return bytes(_code_to_hash_pyc(compile_source(source, name), bytes(8), False))


def write_archive(path: str, files: dict[str, types.CodeType], more: dict[str, bytes]) -> None:
    """Write a packed archive: a shelf with `files`, modules by path, and `more` beside it as plain files."""
    index: dict[str, tuple[bool, int, int]] = {}
    codes = b""
    for name in sorted(files):
        code = marshal.dumps(files[name])
        where = name.removesuffix(".py")
        index[where.removesuffix("/__init__")] = (where.endswith("/__init__"), len(codes), len(code))
        codes += code
    said = marshal.dumps(index)
    plain = io.BytesIO()
    with zipfile.ZipFile(plain, "w", zipfile.ZIP_STORED) as archive:
        for name, data in {"shelf": len(said).to_bytes(4, "little") + said + codes, **more}.items():
            archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), data)
    Path(path).write_bytes(gzip.compress(plain.getvalue(), 9, mtime=0))


def strip_cached_code(made: bytes) -> bytes:
    """What `made_before` keeps: code loses its places."""
    value = marshal.loads(made)
    is_code = isinstance(value, types.CodeType) and not KEEPS_LINE_TABLE
    return marshal.dumps(strip_line_table(value)) if is_code else made


def embed_build_cache(source: str) -> str:
    """The module `made_before` with all that the exercises made."""
    import made_before

    made = {key: strip_cached_code(value) for key, value in made_before.MADE.items()}
    return source.replace("MADE = {}", f"MADE = {made!r}").replace("IS_BUILDING = True", "IS_BUILDING = False")


def compile_used_stdlib() -> dict[str, types.CodeType]:
    """The standard library's modules imported so far, compiled, by their names in the archive."""
    files = {}
    with zipfile.ZipFile(io.BytesIO(Path(STDLIB).read_bytes())) as archive:
        for name in archive.namelist():
            if not name.endswith(".py"):
                continue
            module = name[: -len(".py")].replace("/", ".").removesuffix(".__init__")
            always = any(module == entry or module.startswith(entry + ".") for entry in ALWAYS_USED_MODULES)
            if module in FROZEN_MODULES:
                continue
            if module in USED or ((always and not module.startswith("encodings.")) or module in CODEC_MODULES):
                source = archive.read(name).decode()
                files[name] = compile_source(embed_build_cache(source) if module == "made_before" else source, name)
    return files


FROZEN_MODULES = set(_imp._frozen_module_names())
"""What the interpreter brings itself."""

CODEC_MODULES = {f"encodings.{name}" for name in ("aliases", "ascii", "cp437", "idna", "latin_1", "utf_8", "utf_8_sig")}
INSTALL_FINDER_SOURCE = b"from archive_importer import install_finder\ninstall_finder(__path__[0].rpartition('/')[0])\n"
"""What `encodings` of the trimmed library does first."""

stdlib = compile_used_stdlib()
sources = {str(source.relative_to(APP)): source.read_bytes() for source in sorted(APP.rglob("*.py"))}
importer = {"archive_importer.pyc": compile_pyc(sources.pop("archive_importer.py"), "archive_importer.py")}
app = {name: compile_source(source, name) for name, source in sources.items()}
with zipfile.ZipFile(STDLIB) as archive:
    encodings = compile_pyc(INSTALL_FINDER_SOURCE + archive.read("encodings/__init__.py"), "encodings/__init__.py")
write_archive("/out/stdlib.zip.gz", stdlib, {**importer, "encodings/__init__.pyc": encodings})
write_archive("/out/app.zip.gz", app, importer)
Path("/out/report.txt").write_text(f"{len(stdlib)} modules of the standard library, {len(app)} of the application")
Path("/out/left.txt").write_text("the table of places has another form\n" if KEEPS_LINE_TABLE else "")
