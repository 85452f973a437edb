"""Run inside Pyodide by compile_bundle.mjs: exercise the application, then zip what it used, compiled.

Writes /out/stdlib.zip (the standard library's modules that were used, compiled), /out/app.zip (the application, its
templates and Jinja2, compiled) and /out/report.txt.
"""

import importlib.util
import io
import json
import marshal
import sys
import traceback
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
    try:
        calculator_html.answer("not a request")
    except ValueError:
        traceback.format_exc()


def pyc(source: bytes, name: str) -> bytes:
    """Compile to the bytes of a .pyc that is never checked against a source; docstrings stay out."""
    code = compile(source, name, "exec", dont_inherit=True, optimize=2)
    flags_unchecked_hash = (1).to_bytes(4, "little")
    return importlib.util.MAGIC_NUMBER + flags_unchecked_hash + bytes(8) + marshal.dumps(code)


def write_zip(path: str, files: dict[str, bytes]) -> None:
    """Write a zip whose bytes depend on its content alone."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name in sorted(files):
            archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), files[name], zipfile.ZIP_DEFLATED, 9)


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
write_zip("/out/stdlib.zip", stdlib)
write_zip("/out/app.zip", app)
Path("/out/report.txt").write_text(f"{len(stdlib)} modules of the standard library, {len(app)} of the application")
