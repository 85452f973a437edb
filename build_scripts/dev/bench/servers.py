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

from build_scripts.dev.serve import SiteHandler, served

COMPRESSED = {".css", ".html", ".js", ".json", ".mjs", ".svg", ".wasm", ".xml"}
"""What static hosts send compressed."""
PIECE = 16 * 1024  # bytes sent at once on a slow line


@dataclass
class Line:
    """A line to one reader: megabits a second for all connections together, milliseconds for a request to arrive."""

    megabits: float
    delay_ms: float
    free_at: float = 0.0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def wait_turn(self, size: int) -> None:
        """Wait until so many bytes have gone over the line."""
        with self.lock:
            self.free_at = max(time.monotonic(), self.free_at) + 8 * size / (1e6 * self.megabits)
            until = self.free_at
        time.sleep(max(0.0, until - time.monotonic()))

    def wait_delay(self) -> None:
        """Wait as long as a request takes to arrive and its answer to begin."""
        time.sleep(self.delay_ms / 1000)


@functools.cache
def compressed(file: Path) -> bytes:
    """A file's content as a host sends it compressed."""
    return gzip.compress(file.read_bytes(), 6, mtime=0)


class BenchHandler(SiteHandler):
    """Serves as the site's own server does and counts the bytes of each answer's body; over a line, if there is one."""

    def __init__(self, *args: Any, line: Line | None, sent: dict[str, int], **kwargs: Any) -> None:
        """Answer one connection."""
        self.line = line
        self.sent = sent
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
        if file.suffix not in COMPRESSED or not file.is_file() or self.headers.get("If-Modified-Since"):
            return super().send_head()
        return self.begin_answer(200, self.guess_type(file.name), compressed(file), **{"Content-Encoding": "gzip"})

    def copyfile(self, source: Any, outputfile: Any) -> None:
        """Send a body, counted."""
        body = source.read()
        self.sent[urlsplit(self.path).path] = len(body)
        if not self.line:
            shutil.copyfileobj(BytesIO(body), outputfile)
            return
        for start in range(0, len(body), PIECE):
            piece = body[start : start + PIECE]
            self.line.wait_turn(len(piece))
            outputfile.write(piece)


@contextlib.contextmanager
def bench_server(folder: Path, line: Line | None = None) -> Iterator[tuple[str, dict[str, int]]]:
    """Serve `folder` in the background: its address, and the bytes of each body sent so far, by path."""
    sent: dict[str, int] = {}
    if line:
        for file in folder.rglob("*"):
            if file.suffix in COMPRESSED:
                compressed(file)
    with served(functools.partial(BenchHandler, folder=folder, line=line, sent=sent)) as url:
        yield url, sent
