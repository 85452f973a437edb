"""Run inside Pyodide by compiling.mjs: exercise the application, then zip what it used, compiled.

Writes /out/stdlib.zip.gz (the standard library's modules that were used, compiled), /out/app.zip.gz (the application,
its templates and Jinja2, compiled) and /out/report.txt. The archives hold their files as they are and are packed as a
whole: a module looks like the next one, which a file packed alone can't know.
"""

import gzip
import importlib.util
import io
import json
import marshal
import sys
import traceback
import types
import zipfile
from pathlib import Path

STDLIB = next(path for path in sys.path if path.endswith(".zip"))
APP = Path("/app")
# Asked for by name at run time, where importing alone would not show it: text codecs and the words of a traceback.
ALWAYS = ("encodings", "_colorize", "traceback", "linecache", "tokenize", "_pyodide", "pyodide")


def exercise() -> None:
    """Use the application as a reader would, so that every module it needs is imported."""
    from jinja2 import ModuleLoader

    from build_scripts import calculator_html

    calculator_html.use_templates(ModuleLoader("/app/calculator_templates"))
    for name, query in json.loads(Path("/exercises.json").read_text()):
        for ask in (False, True):
            calculator_html.answer(json.dumps({"name": name, "query": query, "ask": ask, "uid": "x", "root": "/"}))
    calculator_html.with_codes('<figure data-code="x"></figure>', "/")
    try:
        calculator_html.answer("not a request")
    except ValueError:
        traceback.format_exc()


def without_places(code: types.CodeType) -> types.CodeType:
    """The same code without the table of lines and columns, a third of its bytes; a traceback still names functions.

    The table says "no place" for all of it, eight units of code an entry, so that nothing that reads it stumbles.
    """
    units = len(code.co_code) // 2
    table = bytes([NO_PLACE | 7]) * (units // 8) + (bytes([NO_PLACE | (units % 8 - 1)]) if units % 8 else b"")
    inner = (without_places(each) if isinstance(each, types.CodeType) else each for each in code.co_consts)
    return code.replace(co_linetable=table, co_consts=tuple(inner))


NO_PLACE = 0x80 | 15 << 3
"""An entry of CPython's table of places without one; its lowest three bits count units of code, less one."""


def pyc(source: bytes, name: str) -> bytes:
    """Compile to the bytes of a .pyc that is never checked against a source; docstrings and places stay out."""
    code = without_places(compile(source, name, "exec", dont_inherit=True, optimize=2))
    flags_unchecked_hash = (1).to_bytes(4, "little")
    return importlib.util.MAGIC_NUMBER + flags_unchecked_hash + bytes(8) + marshal.dumps(code)


def write_zip(path: str, files: dict[str, bytes]) -> None:
    """Write a packed archive whose bytes depend on its content alone."""
    plain = io.BytesIO()
    with zipfile.ZipFile(plain, "w", zipfile.ZIP_STORED) as archive:
        for name in sorted(files):
            archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), files[name])
    Path(path).write_bytes(gzip.compress(plain.getvalue(), 9, mtime=0))


def used_stdlib() -> dict[str, bytes]:
    """The standard library's modules imported so far, compiled, by their names in the archive."""
    files = {}
    with zipfile.ZipFile(io.BytesIO(Path(STDLIB).read_bytes())) as archive:
        for name in archive.namelist():
            if not name.endswith(".py"):
                continue
            module = name[: -len(".py")].replace("/", ".").removesuffix(".__init__")
            always = any(module == entry or module.startswith(entry + ".") for entry in ALWAYS)
            if module in sys.modules or ((always and not module.startswith("encodings.")) or module in CODECS):
                files[name + "c"] = pyc(archive.read(name), name)
    return files


CODECS = {f"encodings.{name}" for name in ("aliases", "ascii", "cp437", "idna", "latin_1", "utf_8", "utf_8_sig")}

sys.path.insert(0, "/app")
exercise()
stdlib = used_stdlib()
app = {}
for source in sorted(APP.rglob("*.py")):
    name = str(source.relative_to(APP))
    app[name + "c"] = pyc(source.read_bytes(), name)
write_zip("/out/stdlib.zip.gz", stdlib)
write_zip("/out/app.zip.gz", app)
Path("/out/report.txt").write_text(f"{len(stdlib)} modules of the standard library, {len(app)} of the application")
