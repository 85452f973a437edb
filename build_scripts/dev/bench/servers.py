"""A server for benchmarks that counts the bytes it sends, and can simulate a slow line."""

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
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from build_scripts.dev.serve import SiteHandler, serve_in_background

COMPRESSED_SUFFIXES = {".css", ".html", ".js", ".json", ".mjs", ".svg", ".wasm", ".xml"}
"""The suffixes of files that static hosts compress."""
BYTES_PER_PIECE = 16 * 1024
"""The bytes that a slow line sends at once."""


@dataclass
class SlowLine:
    """A simulated line to one browser."""

    megabits: float
    """The bandwidth of all connections together, in megabits a second."""
    delay_ms: float
    """The latency of a request, in milliseconds."""
    free_at: float = 0.0
    """When the line has sent all bytes so far, in `time.monotonic`."""
    lock: threading.Lock = field(default_factory=threading.Lock)
    """The lock around `free_at`."""

    def simulate_sending(self, byte_count: int) -> None:
        """Wait until the line has sent this many bytes."""
        with self.lock:
            self.free_at = max(time.monotonic(), self.free_at) + 8 * byte_count / (1e6 * self.megabits)
            end = self.free_at
        time.sleep(max(0.0, end - time.monotonic()))

    def wait_delay(self) -> None:
        """Wait for the latency of a request."""
        time.sleep(self.delay_ms / 1000)


@functools.cache
def load_compressed_file(file: Path) -> bytes:
    """Return a file's content, compressed like a host does."""
    return gzip.compress(file.read_bytes(), 6, mtime=0)


class SentBody(NamedTuple):
    """The body of a response."""

    size: int
    """Its bytes, uncompressed unless a line is simulated."""
    requested_at: float
    """When its path was first requested, in seconds since the epoch."""


class BenchHandler(SiteHandler):
    """A handler like the site's own that counts the bytes of each response's body, over a line if there is one."""

    def __init__(self, *args: Any, line: SlowLine | None, sent: dict[str, SentBody], **kwargs: Any) -> None:
        """Handle one connection."""
        self.line = line
        self.sent_bodies = sent
        super().__init__(*args, **kwargs)

    def setup(self) -> None:
        """Simulate the latency of a connection."""
        super().setup()
        if self.line:
            self.line.wait_delay()

    def send_head(self) -> Any:
        """Simulate the latency of a request, and compress like a host."""
        if not self.line:
            return super().send_head()
        self.line.wait_delay()
        path = urlsplit(self.path).path
        file = self.folder / (path + "index.html" if path.endswith("/") else path).lstrip("/")
        if file.suffix not in COMPRESSED_SUFFIXES or not file.is_file() or self.headers.get("If-Modified-Since"):
            return super().send_head()
        return self.start_response(
            200, self.guess_type(file.name), load_compressed_file(file), **{"Content-Encoding": "gzip"}
        )

    def copyfile(self, source: Any, outputfile: Any) -> None:
        """Send a body, and count its bytes."""
        body, path = source.read(), urlsplit(self.path).path
        earlier = self.sent_bodies.get(path)
        self.sent_bodies[path] = SentBody(len(body), earlier.requested_at if earlier else time.time())
        if not self.line:
            shutil.copyfileobj(BytesIO(body), outputfile)
            return
        for start in range(0, len(body), BYTES_PER_PIECE):
            piece = body[start : start + BYTES_PER_PIECE]
            self.line.simulate_sending(len(piece))
            outputfile.write(piece)


@contextlib.contextmanager
def serve_for_bench(folder: Path, line: SlowLine | None = None) -> Iterator[tuple[str, dict[str, SentBody]]]:
    """Serve `folder` in the background.

    Yields the address, and each sent body by path.
    """
    sent: dict[str, SentBody] = {}
    if line:
        for file in folder.rglob("*"):
            if file.suffix in COMPRESSED_SUFFIXES:
                load_compressed_file(file)
    with serve_in_background(functools.partial(BenchHandler, folder=folder, line=line, sent=sent)) as url:
        yield url, sent
