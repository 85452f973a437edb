"""Serve the built site for tests and benchmarks, with media types, the site's own headers and its 404 page."""

from __future__ import annotations

import contextlib
import fnmatch
import functools
import re
import sys
import threading
from collections.abc import Callable, Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO
from urllib.parse import urlsplit


class SiteHandler(SimpleHTTPRequestHandler):
    """A handler that serves a folder like a static host."""

    protocol_version = "HTTP/1.1"
    extensions_map = {  # noqa: RUF012 -- as in the base class
        **SimpleHTTPRequestHandler.extensions_map,
        ".mjs": "text/javascript",
        ".js": "text/javascript",
        ".wasm": "application/wasm",
        ".woff2": "font/woff2",
        ".svg": "image/svg+xml",
        ".json": "application/json",
        ".webmanifest": "application/manifest+json",
        ".zip": "application/zip",
    }

    def __init__(self, *args: Any, folder: Path, base: str = "/", **kwargs: Any) -> None:
        self.folder = folder
        self.base = base
        super().__init__(*args, directory=str(folder), **kwargs)

    def translate_path(self, path: str) -> str:
        """Return the file of an address.

        The folder is at the site's path on this host. Every other path leads to a missing file.
        """
        url_path = urlsplit(path).path
        if url_path.startswith(self.base):
            return super().translate_path("/" + url_path.removeprefix(self.base))
        return str(self.folder / "nothing" / "beside" / "the" / "site")

    def end_headers(self) -> None:
        """Add the headers of the site's `_headers` file for this path."""
        path = urlsplit(self.path).path
        for pattern, name, value in _load_header_rules(self.folder):
            if fnmatch.fnmatchcase(path, pattern):
                self.send_header(name, value)
        if "/assets/" not in path:
            self.send_header("Cache-Control", "no-cache")
        super().end_headers()

    def send_head(self) -> Any:
        """Serve the sitemap with this server's own address, which instant navigation compares links with."""
        if urlsplit(self.path).path != f"{self.base}sitemap.xml" or not (self.folder / "sitemap.xml").exists():
            return super().send_head()
        text = (self.folder / "sitemap.xml").read_text(encoding="utf-8")
        own = f"http://{self.headers.get('Host', '127.0.0.1')}/"
        body = re.sub(r"<loc>https?://[^/]+/", f"<loc>{own}", text).encode()
        return self.start_response(200, "application/xml", body)

    def start_response(self, code: int, kind: str, body: bytes, **headers: str) -> BinaryIO:
        """Send the headers of a generated body, and return the body, which the caller sends."""
        self.send_response(code)
        for name, value in {"Content-Type": kind, "Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        return BytesIO(body)

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Respond to a missing file with the site's own page."""
        page = self.folder / "404.html"
        if code != 404 or not page.exists():
            return super().send_error(code, message, explain)
        body = self.start_response(404, "text/html; charset=utf-8", page.read_bytes())
        if self.command != "HEAD":
            self.wfile.write(body.read())
        return None

    def log_message(self, format: str, *args: Any) -> None:
        """Log nothing."""


class SiteServer(ThreadingHTTPServer):
    """A threading server that ignores connections which the browser closes."""

    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore broken connections, and print every other error."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


@functools.cache
def _load_header_rules(folder: Path) -> list[tuple[str, str, str]]:
    rules, pattern = [], ""
    file = folder / "_headers"
    for line in file.read_text().splitlines() if file.exists() else []:
        if line.startswith("  "):
            name, _, value = line.strip().partition(": ")
            rules.append((pattern, name, value))
        else:
            pattern = line.strip()
    return rules


@contextlib.contextmanager
def serve_in_background(
    handler: Callable[..., SimpleHTTPRequestHandler], port: int = 0, base: str = "/"
) -> Iterator[str]:
    """Serve in the background, and yield the address with a slash at its end.

    Port 0 is any free port.
    """
    server = SiteServer(("127.0.0.1", port), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}{base}"
    finally:
        server.shutdown()
        server.server_close()


def serve_site(folder: Path, base: str = "/") -> contextlib.AbstractContextManager[str]:
    """Serve `folder` at the path `base` in the background, and yield the address."""
    return serve_in_background(functools.partial(SiteHandler, folder=folder, base=base), base=base)
