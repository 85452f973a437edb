"""A server whose connection breaks when a test wants it, and that switches between versions of the site."""

import contextlib
import functools
import os
import shutil
from dataclasses import dataclass
from http.server import SimpleHTTPRequestHandler
from pathlib import Path
from typing import Any, BinaryIO

from build_scripts.dev.serve import SiteHandler, serve_in_background
from build_scripts.service_worker import write_service_worker

MARK = '<meta name="version-mark" content="other">'
PIECE_SIZE = 16_384  # bytes
ENDLESS = 1 << 40  # bytes


@dataclass
class SwitchableServer:
    """A connection to a served folder, which breaks after a number of bytes."""

    folder: Path
    """The served folder."""
    bytes_left: int = ENDLESS
    """The number of bytes until the connection breaks."""

    def count_bytes(self, count: int) -> None:
        """Count sent bytes.

        Raises ConnectionAbortedError if the line has broken.
        """
        self.bytes_left -= count
        if self.bytes_left < 0:
            raise ConnectionAbortedError("the line broke")


class LineHandler(SiteHandler):
    """Serve over a line, with a connection for each file."""

    protocol_version = "HTTP/1.0"

    def __init__(self, *args: Any, line: SwitchableServer, **kwargs: Any) -> None:
        self.line = line
        super().__init__(*args, folder=line.folder, **kwargs)

    def handle_one_request(self) -> None:
        """Answer nothing at all once the line has broken."""
        self.line.count_bytes(0)
        super().handle_one_request()

    def send_head(self) -> Any:
        """Send the file even if the browser has it.

        After a switch back, the old version is older than the version between.
        """
        del self.headers["If-Modified-Since"]
        return super().send_head()

    def copyfile(self, source: Any, outputfile: Any) -> None:
        """Send a file piece by piece, as far as the line carries."""
        target: BinaryIO = outputfile
        while piece := source.read(PIECE_SIZE):
            self.line.count_bytes(len(piece))
            target.write(piece)


def serve_switchable(line: SwitchableServer, base: str = "/") -> contextlib.AbstractContextManager[str]:
    """Serve over a line in the background, and return the address."""
    return serve_in_background(functools.partial(LineHandler, line=line, base=base), base=base)


class _Plain(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


def serve_plain(folder: Path) -> contextlib.AbstractContextManager[str]:
    """Serve a folder without the site's headers, and return the address."""
    return serve_in_background(functools.partial(_Plain, directory=str(folder)))


def make_other_version(site: Path, folder: Path) -> Path:
    """Copy a site as another version: every page, a stylesheet and the scripts' folder differ."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(site, folder, copy_function=os.link)
    old = next((folder / "assets").glob("engine-*"))
    new = old.rename(old.with_name("engine-0123456789ab"))
    for page in folder.rglob("*.html"):
        text = page.read_text(encoding="utf-8").replace(old.name, new.name)
        _write(page, text.replace("</head>", f"{MARK}</head>", 1))
    style = next((folder / "stylesheets").glob("scratch.*.css"))
    _write(style, style.read_text(encoding="utf-8") + f"/* {MARK} */")
    (folder / "sw.js").unlink()
    write_service_worker(folder, is_offline_enabled=True)
    return folder


def _write(file: Path, text: str) -> None:
    file.unlink()  # a link to the other version's file
    file.write_text(text, encoding="utf-8", newline="\n")
