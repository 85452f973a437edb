"""The peers of the bench, in an environment of their own: the project itself never imports them."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from build_scripts.folders import BUILD, ROOT, content_hash

LOCK = Path(__file__).with_name("peers.lock")
ENVIRONMENT = BUILD / "bench-venv"


def install_peers() -> Path:
    """Install the packages of peers.lock, unless they are there already, and give the Python that imports them."""
    python = ENVIRONMENT / "bin" / "python"
    wanted = f"{content_hash([LOCK])} {sys.version_info.major}.{sys.version_info.minor}"
    stamp = ENVIRONMENT / "installed"
    if stamp.exists() and stamp.read_text() == wanted:
        return python
    print("Installing the peers of the bench (icepool, dyce, d20) …", flush=True)
    shutil.rmtree(ENVIRONMENT, ignore_errors=True)
    subprocess.run([sys.executable, "-m", "venv", str(ENVIRONMENT)], check=True)
    quiet = ["--quiet", "--disable-pip-version-check"]
    done = subprocess.run(
        [str(python), "-m", "pip", "install", *quiet, "--require-hashes", "-r", str(LOCK)], check=False
    )
    if done.returncode:
        raise SystemExit("pip could not install the packages of peers.lock; is the package index within reach?")
    stamp.write_text(wanted)
    return python


def run_measurement(python: Path, module: str, *arguments: str, limit: float | None = None) -> Any:
    """Run a module of the bench in a fresh process with the peers, and give the JSON it prints.

    `limit` is in seconds; raises TimeoutError beyond it, and SystemExit when the process fails.
    """
    command = [str(python), "-m", f"build_scripts.bench.{module}", *arguments]
    try:
        done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, timeout=limit, check=False)
    except subprocess.TimeoutExpired as error:
        raise TimeoutError(f"took more than {limit:.0f} s") from error
    if done.returncode:
        raise SystemExit(f"{' '.join(command[1:])} failed with exit code {done.returncode}")
    return json.loads(done.stdout)
