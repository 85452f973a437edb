"""Drive Firefox with WebDriver BiDi and WebKitGTK with WebDriver, which both have built in.

Selenium can drive Firefox only through geckodriver, whose authors publish it neither in Debian nor on PyPI.
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
"""The milliseconds to wait for a browser. The environment variable is in seconds."""

MINI_BROWSER_PATHS = (
    "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser",
    "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.0/MiniBrowser",
)


class Window(Protocol):
    """A browser window: the interface that tests and benchmarks use for every engine."""

    def open(self, url: str) -> None:
        """Navigate to an address, and wait until its page is loaded."""

    def reload(self) -> None:
        """Reload the page, and wait until it is loaded."""

    def evaluate(self, expression: str) -> Any:
        """Evaluate a JavaScript expression, await it, and return its value, which must be JSON."""

    def close(self) -> None:
        """Quit the browser."""


def wait_until_true(window: Window, expression: str) -> None:
    """Wait until a JavaScript expression is true.

    Raises AssertionError after `TIMEOUT_MS`.
    """
    deadline = time.monotonic() + TIMEOUT_MS / 1000
    while not _is_true(window, expression):
        assert time.monotonic() < deadline, f"never true: {expression}"
        time.sleep(0.2)


def _is_true(window: Window, expression: str) -> bool:
    try:
        return bool(window.evaluate(f"Boolean({expression})"))
    except (AssertionError, OSError):  # the page may have been replaced meanwhile; a lasting error ends in the timeout
        return False


def navigate_or_reload(window: Window, url: str = "") -> None:
    """Navigate to an address, or reload the page, and wait until it is loaded.

    The page is reloaded if the address is "". A driver may respond before the old page is replaced, so the old page is
    marked.
    """
    window.evaluate("globalThis.isLeft = true")
    if url:
        window.open(url)
    else:
        window.reload()
    wait_until_true(window, "!globalThis.isLeft && document.readyState === 'complete'")


def find_free_port() -> int:
    """Return a free TCP port of this machine."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def wait_and_connect_to_port(port: int) -> socket.socket:
    """Connect to a port of this machine as soon as a program listens there.

    Raises OSError after `TIMEOUT_MS`.
    """
    deadline = time.monotonic() + TIMEOUT_MS / 1000
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port), timeout=TIMEOUT_MS / 1000)
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.2)


class Firefox:
    """Headless Firefox, driven with WebDriver BiDi."""

    def __init__(self, program: str, profile: Path) -> None:
        port = find_free_port()
        profile.mkdir(parents=True, exist_ok=True)
        arguments = [program, "--headless", "--no-remote", "--profile", str(profile), f"--remote-debugging-port={port}"]
        self.process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.serial = 0
        wait_and_connect_to_port(port).close()
        self.line = create_connection(f"ws://127.0.0.1:{port}/session", TIMEOUT_MS / 1000, suppress_origin=True)
        self._send_command("session.new", {"capabilities": {}})
        self.context = self._send_command("browsingContext.getTree", {})["contexts"][0]["context"]

    def _send_command(self, method: str, params: dict[str, Any]) -> Any:
        self.serial += 1
        self.line.send(json.dumps({"id": self.serial, "method": method, "params": params}))
        while True:
            response = json.loads(self.line.recv())
            if response.get("id") == self.serial:
                assert response["type"] == "success", response
                return response["result"]

    def open(self, url: str) -> None:
        """Navigate to an address, and wait until its page is loaded."""
        self._send_command("browsingContext.navigate", {"context": self.context, "url": url, "wait": "complete"})

    def reload(self) -> None:
        """Reload the page, and wait until it is loaded."""
        self._send_command("browsingContext.reload", {"context": self.context, "wait": "complete"})

    def evaluate(self, expression: str) -> Any:
        """Evaluate a JavaScript expression, await it, and return its value."""
        params = {
            "expression": f"(async () => JSON.stringify(await ({expression})) ?? 'null')()",
            "target": {"context": self.context},
            "awaitPromise": True,
        }
        result = self._send_command("script.evaluate", params)
        assert result["type"] == "success", result
        return json.loads(result["result"]["value"])

    def close(self) -> None:
        """Quit the browser."""
        self.line.send(json.dumps({"id": 0, "method": "browser.close", "params": {}}))  # it may quit without a response
        self.process.wait(TIMEOUT_MS / 1000)
        self.line.close()


class WebKit:
    """WebKitGTK's MiniBrowser, driven with WebDriver, on a virtual display if there is no other."""

    def __init__(self, program: str, browser: str) -> None:
        port = find_free_port()
        command = [program, f"--port={port}"]
        if not os.environ.get("DISPLAY"):
            command = ["xvfb-run", "-a", *command]
        quiet = subprocess.DEVNULL
        self.process = subprocess.Popen(command, stdout=quiet, stderr=quiet, start_new_session=True)
        wait_and_connect_to_port(port).close()
        self.address = f"http://127.0.0.1:{port}/session"
        options = {"binary": browser, "args": ["--automation"]}
        body = {"capabilities": {"alwaysMatch": {"webkitgtk:browserOptions": options}}}
        self.address += "/" + self._send_request("POST", "", body)["sessionId"]
        self._send_request("POST", "/timeouts", {"script": TIMEOUT_MS, "pageLoad": TIMEOUT_MS})

    def _send_request(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        headers = {"Content-Type": "application/json"}
        request = urllib.request.Request(self.address + path, data, headers, method=method)
        with urllib.request.urlopen(request, timeout=TIMEOUT_MS / 1000) as response:
            return json.load(response)["value"]

    def open(self, url: str) -> None:
        """Navigate to an address, and wait until its page is loaded."""
        self._send_request("POST", "/url", {"url": url})

    def reload(self) -> None:
        """Reload the page, and wait until it is loaded."""
        self._send_request("POST", "/refresh", {})

    def evaluate(self, expression: str) -> Any:
        """Evaluate a JavaScript expression, await it, and return its value."""
        script = (
            "const done = arguments[arguments.length - 1];"
            f"(async () => JSON.stringify(await ({expression})) ?? 'null')().then(done, (error) => done('!' + error));"
        )
        value = self._send_request("POST", "/execute/async", {"script": script, "args": []})
        assert not value.startswith("!"), value
        return json.loads(value)

    def close(self) -> None:
        """Quit the browser."""
        self._send_request("DELETE", "")
        os.killpg(self.process.pid, signal.SIGTERM)  # includes the driver and the display, which xvfb-run does not end
        self.process.wait(30)


def launch_browser(engine: str, profile: Path) -> Window | None:
    """Launch a browser of an engine, `firefox` or `webkit`.

    Returns None if this machine has no such browser.
    """
    if engine == "firefox":
        program = shutil.which("firefox-esr") or shutil.which("firefox")
        return Firefox(program, profile) if program else None
    driver = shutil.which("WebKitWebDriver")
    browser = next((path for path in MINI_BROWSER_PATHS if Path(path).exists()), None)
    has_screen = bool(os.environ.get("DISPLAY") or shutil.which("xvfb-run"))
    return WebKit(driver, browser) if driver and browser and has_screen else None
