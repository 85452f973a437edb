"""The browser tests at a tenth of the machine: `make slow-browser`.

Everything is built first, at full speed. Then the tests run under a quota of the processor: Linux's control groups,
version 2 or 1, or systemd where it runs and may make one. Where there is none of them, one sentence says so.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from build_scripts.browser import chromium
from build_scripts.build import build_site
from build_scripts.folders import BUILD, ROOT

GROUPS = Path("/sys/fs/cgroup")
PERIOD = 100_000
"""Microseconds in which a quota is counted, the kernel's own default."""

SHARE = 0.1
PATIENCE = "1200"
"""Seconds that a test waits for anything; ten times what it waits at full speed."""

ADVICE = (
    "No quota of the processor can be set here. It takes Linux and one of these: the right, mostly root's, to make a "
    f"control group in {GROUPS} (version 2 with the cpu controller) or {GROUPS}/cpu (version 1); or systemd-run with "
    "systemd at work."
)


@dataclass(frozen=True, slots=True)
class Group:
    """A control group of ours: its folder, the file that sets its quota, and what to write there."""

    folder: Path
    file: str
    quota: str

    def used(self) -> str:
        """What the kernel has counted for the group, line by line: periods, and those in which it was held back."""
        return (self.folder / "cpu.stat").read_text().replace("\n", ", ").removesuffix(", ")


def groups(microseconds: int) -> Iterator[Group]:
    """The groups that could hold a command to so many microseconds of processors in each period."""
    name = f"scratch-slow-{os.getpid()}"
    controllers = GROUPS / "cgroup.controllers"
    if controllers.exists() and "cpu" in controllers.read_text().split():
        yield Group(GROUPS / name, "cpu.max", f"{microseconds} {PERIOD}")
    if (GROUPS / "cpu" / "cpu.cfs_quota_us").exists():
        yield Group(GROUPS / "cpu" / name, "cpu.cfs_quota_us", f"{microseconds}")


@contextlib.contextmanager
def made(group: Group) -> Iterator[Group]:
    """Make a group, and take it away when its processes have ended; raises OSError where that isn't allowed."""
    group.folder.mkdir()
    try:
        (group.folder / group.file).write_text(group.quota)
        yield group
    finally:
        with contextlib.suppress(OSError):  # a process that still ends keeps an empty group, which does no harm
            group.folder.rmdir()


def run_in(group: Group, command: Sequence[str], environment: dict[str, str]) -> int:
    """Run a command in a group, its children with it; gives its exit code."""
    entering = f'echo $$ > "{group.folder}/cgroup.procs" && exec "$@"'
    return subprocess.run(["sh", "-c", entering, "sh", *command], cwd=ROOT, env=environment, check=False).returncode


def run_slowly(command: Sequence[str], share: float, environment: dict[str, str]) -> int:
    """Run a command with that share of the machine's processors; gives its exit code.

    Raises SystemExit with one sentence where no quota can be set.
    """
    microseconds = round(share * PERIOD * (os.cpu_count() or 1))
    for group in groups(microseconds):
        try:
            with made(group):
                code = run_in(group, command, environment)
                print(f"Held to {microseconds} of every {PERIOD} µs: {group.used()}")
                return code
        except OSError as error:
            print(f"{group.folder}: {error.strerror}")
    if shutil.which("systemd-run") and Path("/run/systemd/system").exists():
        quota = ["systemd-run", "--scope", "--quiet", "-p", f"CPUQuota={microseconds * 100 // PERIOD}%"]
        return subprocess.run([*quota, *command], cwd=ROOT, env=environment, check=False).returncode
    raise SystemExit(ADVICE)


def main() -> None:
    """`python -m build_scripts.judges.slow [--share 0.1] [FILE OF TESTS …]`; all of tests/browser by default."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--share", type=float, default=SHARE, help="the share of the machine, 0.1 by default")
    parser.add_argument("tests", nargs="*", default=["tests/browser"])
    given = parser.parse_args()
    environment = {**os.environ, "CHROMIUM": chromium(), "BROWSER_PATIENCE": PATIENCE}
    build_site()
    if given.tests == ["tests/browser"]:
        build_site("zensical", BUILD / "zensical-site")
        build_site(site=BUILD / "subpath-site", site_url="https://host.example/scratch/")
    with tempfile.TemporaryDirectory() as folder:
        options = ["-q", "-p", "no:cacheprovider", "--basetemp", folder]
        raise SystemExit(run_slowly([sys.executable, "-m", "pytest", *options, *given.tests], given.share, environment))


if __name__ == "__main__":
    main()
