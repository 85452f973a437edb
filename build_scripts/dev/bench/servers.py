"""Servers for the bench: the site's own that also counts what it sends, and a slow one that compresses as hosts do."""

from __future__ import annotations

import contextlib
import functools
import gzip
import shutil
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from build_scripts.dev.serve import SiteHandler, serve_in_background

COMPRESSED_SUFFIXES = {".css", ".html", ".js", ".json", ".mjs", ".svg", ".wasm", ".xml"}
"""What static hosts send compressed."""
BYTES_PER_PIECE = 16 * 1024  # bytes sent at once on a slow line


@dataclass
class SlowLine:
    """A line to one reader: megabits a second for all connections together, milliseconds for a request to arrive."""

    megabits: float
    delay_ms: float
    free_at: float = 0.0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def wait_for_bytes(self, size: int) -> None:
        """Wait until so many bytes have gone over the line."""
        with self.lock:
            self.free_at = max(time.monotonic(), self.free_at) + 8 * size / (1e6 * self.megabits)
            until = self.free_at
        time.sleep(max(0.0, until - time.monotonic()))

    def wait_delay(self) -> None:
        """Wait as long as a request takes to arrive and its answer to begin."""
        time.sleep(self.delay_ms / 1000)


@functools.cache
def compress_file(file: Path) -> bytes:
    """A file's content as a host sends it compressed."""
    return gzip.compress(file.read_bytes(), 6, mtime=0)


class BenchHandler(SiteHandler):
    """Serves as the site's own server does and counts the bytes of each answer's body; over a line, if there is one."""

    def __init__(self, *args: Any, line: SlowLine | None, sent: dict[str, int], **kwargs: Any) -> None:
        """Answer one connection."""
        self.line = line
        self.sent_bytes = sent
        super().__init__(*args, **kwargs)

    def setup(self) -> None:
        """Take the time a connection takes."""
        super().setup()
        if self.line:
            self.line.wait_delay()

    def send_head(self) -> Any:
        """Take the time a request takes, and compress where a host would."""
        if not self.line:
            return super().send_head()
        self.line.wait_delay()
        path = urlsplit(self.path).path
        file = self.folder / (path + "index.html" if path.endswith("/") else path).lstrip("/")
        if file.suffix not in COMPRESSED_SUFFIXES or not file.is_file() or self.headers.get("If-Modified-Since"):
            return super().send_head()
        return self.start_response(200, self.guess_type(file.name), compress_file(file), **{"Content-Encoding": "gzip"})

    def copyfile(self, source: Any, outputfile: Any) -> None:
        """Send a body, counted."""
        body = source.read()
        self.sent_bytes[urlsplit(self.path).path] = len(body)
        if not self.line:
            shutil.copyfileobj(BytesIO(body), outputfile)
            return
        for start in range(0, len(body), BYTES_PER_PIECE):
            piece = body[start : start + BYTES_PER_PIECE]
            self.line.wait_for_bytes(len(piece))
            outputfile.write(piece)


@contextlib.contextmanager
def serve_for_bench(folder: Path, line: SlowLine | None = None) -> Iterator[tuple[str, dict[str, int]]]:
    """Serve `folder` in the background: its address, and the bytes of each body sent so far, by path."""
    sent: dict[str, int] = {}
    if line:
        for file in folder.rglob("*"):
            if file.suffix in COMPRESSED_SUFFIXES:
                compress_file(file)
    with serve_in_background(functools.partial(BenchHandler, folder=folder, line=line, sent=sent)) as url:
        yield url, sent
