"""Firefox and WebKit, driven by what each brings itself: WebDriver BiDi and WebDriver.

Selenium would reach Firefox by way of geckodriver alone, which neither Debian nor PyPI has from its makers.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import time
import urllib.request
from pathlib import Path
from typing import Any, Protocol

from websocket import create_connection

TIMEOUT_MS = 1000 * int(os.environ.get("BROWSER_PATIENCE", "300"))
"""Milliseconds that a browser is waited for; the environment variable gives seconds."""

MINI_BROWSER_PATHS = (
    "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser",
    "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.0/MiniBrowser",
)


class Window(Protocol):
    """A browser's window: what tests and bench ask of any engine."""

    def open(self, url: str) -> None:
        """Go to an address, and wait until its page is loaded."""

    def reload(self) -> None:
        """Load the page anew, and wait until it is loaded."""

    def run(self, expression: str) -> Any:
        """The value of an expression of JavaScript, awaited; it must be plain data."""

    def close(self) -> None:
        """End the browser."""


def wait_for(window: Window, expression: str) -> None:
    """Wait until an expression of JavaScript is true. Raises AssertionError after our patience."""
    until = time.monotonic() + TIMEOUT_MS / 1000
    while not _is_true(window, expression):
        assert time.monotonic() < until, f"never true: {expression}"
        time.sleep(0.2)


def _is_true(window: Window, expression: str) -> bool:
    try:
        return bool(window.run(f"Boolean({expression})"))
    except (AssertionError, OSError):  # the page was replaced just then; what is wrong stays so until patience ends
        return False


def visit(window: Window, url: str = "") -> None:
    """Go to an address, or load the page anew, and wait for it: a driver may answer while the last one still stands."""
    window.run("globalThis.isLeft = true")
    if url:
        window.open(url)
    else:
        window.reload()
    wait_for(window, "!globalThis.isLeft && document.readyState === 'complete'")


def find_free_port() -> int:
    """A port that no one listens on."""
    with socket.socket() as each:
        each.bind(("127.0.0.1", 0))
        return int(each.getsockname()[1])


def connect_to_port(port: int) -> socket.socket:
    """A connection to a port of this machine, as soon as something listens there."""
    until = time.monotonic() + TIMEOUT_MS / 1000
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port), timeout=TIMEOUT_MS / 1000)
        except OSError:
            if time.monotonic() > until:
                raise
            time.sleep(0.2)


class Firefox:
    """Firefox without a screen, by WebDriver BiDi."""

    def __init__(self, program: str, profile: Path) -> None:
        port = find_free_port()
        profile.mkdir(parents=True, exist_ok=True)
        arguments = [program, "--headless", "--no-remote", "--profile", str(profile), f"--remote-debugging-port={port}"]
        self.process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.serial = 0
        connect_to_port(port).close()
        self.line = create_connection(f"ws://127.0.0.1:{port}/session", TIMEOUT_MS / 1000, suppress_origin=True)
        self._send_command("session.new", {"capabilities": {}})
        self.context = self._send_command("browsingContext.getTree", {})["contexts"][0]["context"]

    def _send_command(self, method: str, params: dict[str, Any]) -> Any:
        self.serial += 1
        self.line.send(json.dumps({"id": self.serial, "method": method, "params": params}))
        while True:
            said = json.loads(self.line.recv())
            if said.get("id") == self.serial:
                assert said["type"] == "success", said
                return said["result"]

    def open(self, url: str) -> None:
        """Go to an address, and wait until its page is loaded."""
        self._send_command("browsingContext.navigate", {"context": self.context, "url": url, "wait": "complete"})

    def reload(self) -> None:
        """Load the page anew, and wait until it is loaded."""
        self._send_command("browsingContext.reload", {"context": self.context, "wait": "complete"})

    def run(self, expression: str) -> Any:
        """The value of an expression of JavaScript, awaited."""
        asked = {
            "expression": f"(async () => JSON.stringify(await ({expression})) ?? 'null')()",
            "target": {"context": self.context},
            "awaitPromise": True,
        }
        result = self._send_command("script.evaluate", asked)
        assert result["type"] == "success", result
        return json.loads(result["result"]["value"])

    def close(self) -> None:
        """End the browser."""
        self.line.send(json.dumps({"id": 0, "method": "browser.close", "params": {}}))  # it may not answer any more
        self.process.wait(TIMEOUT_MS / 1000)
        self.line.close()


class WebKit:
    """WebKitGTK's small browser, by WebDriver, on a screen in memory where there is no other."""

    def __init__(self, program: str, browser: str) -> None:
        port = find_free_port()
        command = [program, f"--port={port}"]
        if not os.environ.get("DISPLAY"):
            command = ["xvfb-run", "-a", *command]
        quiet = subprocess.DEVNULL
        self.process = subprocess.Popen(command, stdout=quiet, stderr=quiet, start_new_session=True)
        connect_to_port(port).close()
        self.address = f"http://127.0.0.1:{port}/session"
        options = {"binary": browser, "args": ["--automation"]}
        asked = {"capabilities": {"alwaysMatch": {"webkitgtk:browserOptions": options}}}
        self.address += "/" + self._send_command("POST", "", asked)["sessionId"]
        self._send_command("POST", "/timeouts", {"script": TIMEOUT_MS, "pageLoad": TIMEOUT_MS})

    def _send_command(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        asked = urllib.request.Request(self.address + path, data, {"Content-Type": "application/json"}, method=method)
        with urllib.request.urlopen(asked, timeout=TIMEOUT_MS / 1000) as response:
            return json.load(response)["value"]

    def open(self, url: str) -> None:
        """Go to an address, and wait until its page is loaded."""
        self._send_command("POST", "/url", {"url": url})

    def reload(self) -> None:
        """Load the page anew, and wait until it is loaded."""
        self._send_command("POST", "/refresh", {})

    def run(self, expression: str) -> Any:
        """The value of an expression of JavaScript, awaited."""
        script = (
            "const done = arguments[arguments.length - 1];"
            f"(async () => JSON.stringify(await ({expression})) ?? 'null')().then(done, (error) => done('!' + error));"
        )
        value = self._send_command("POST", "/execute/async", {"script": script, "args": []})
        assert not value.startswith("!"), value
        return json.loads(value)

    def close(self) -> None:
        """End the browser."""
        self._send_command("DELETE", "")
        os.killpg(self.process.pid, signal.SIGTERM)  # with the driver and the screen, which xvfb-run would leave behind
        self.process.wait(30)


def launch_browser(engine: str, profile: Path) -> Window | None:
    """A browser of that engine, `firefox` or `webkit`; None where this machine has none."""
    if engine == "firefox":
        program = shutil.which("firefox-esr") or shutil.which("firefox")
        return Firefox(program, profile) if program else None
    driver = shutil.which("WebKitWebDriver")
    browser = next((path for path in MINI_BROWSER_PATHS if Path(path).exists()), None)
    has_screen = bool(os.environ.get("DISPLAY") or shutil.which("xvfb-run"))
    return WebKit(driver, browser) if driver and browser and has_screen else None
