"""Build the site: check the fences, run MkDocs (or Zensical), finish the pages. Unchanged inputs are not rebuilt."""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

from build_scripts.browser_app import ensure_current_bundle, is_plain_build
from build_scripts.checks.bare_numbers import check_bare_numbers
from build_scripts.checks.rule_traceability import compute_citations_hash, list_traceability_lines_and_faults
from build_scripts.data.worked_combat_chances import get_or_build_current_table
from build_scripts.fences.registry import check_fences, list_unknown_name_failures
from build_scripts.pages.finish import install_bundle_and_complete_pages
from build_scripts.paths import BUILD, DOCS, ENGINE, OVERRIDES, ROOT, SITE, compute_content_hash
from build_scripts.service_worker import is_offline_enabled
from build_scripts.site_url import get_base_path, get_normalized_site_url
from scratch_core.calculators.shared.resources import WIN_CHANCES_PATH

INPUTS = (DOCS, ENGINE, OVERRIDES, ROOT / "build_scripts", ROOT / "mkdocs.yml")


def build_site_if_changed(builder_name: str = "mkdocs", site_folder: Path = SITE, site_url: str = "") -> None:
    """Build the site with `mkdocs` or `zensical`, unless no input has changed.

    `site_url` is the address of the published site, by default the environment variable `SITE_URL`. Only its path
    matters: it is the prefix of the site's own addresses, headers and stored entries. Raises SystemExit with the page,
    the line and the nearest name if a fence, a name, a number or an anchor is wrong, or if the builder fails.
    """
    address = get_normalized_site_url(site_url)
    files = [ROOT / name for name in ("requirements.lock", "package-lock.json", "CHANGELOG.md", "CONTRIBUTING.md")]
    inputs = [*INPUTS, *(file for file in files if file.exists())]
    variant = f"{address}{'' if is_offline_enabled() else ' online only'}{' plain' if is_plain_build() else ''}"
    stamp = BUILD / f"{site_folder.name}.stamp"
    inputs_hash = f"{compute_content_hash(inputs)} {compute_citations_hash()}"
    current = f"{builder_name} {inputs_hash} {variant}"
    if site_folder.exists() and stamp.exists() and stamp.read_text() == current:
        return
    # The build of another variant may have checked the same inputs.
    is_checked = any(inputs_hash in file.read_text() for file in BUILD.glob("*.stamp"))
    if not is_checked:
        _stop_on_failures([*list_unknown_name_failures(DOCS), *check_bare_numbers(DOCS), *check_fences(DOCS)])
    chances = get_or_build_current_table()
    ensure_current_bundle()
    print(f"Building the site with {builder_name} …", flush=True)
    stamp.unlink(missing_ok=True)  # a build that fails below must not pass for the complete site of an earlier one
    shutil.rmtree(site_folder, ignore_errors=True)
    base = get_base_path(address)
    environment = {
        **os.environ,
        "SITE_DIR": str(site_folder),
        "SITE_URL": address,
        "SITE_BASE": base,
        "NO_MKDOCS_2_WARNING": "1",
        "PYTHONPATH": str(ROOT),
    }
    zensical = [str(Path(sys.executable).with_name("zensical")), "build", "--clean"]
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet"] if builder_name == "mkdocs" else zensical
    process = subprocess.run(command, cwd=ROOT, env=environment, check=False)
    if process.returncode:
        raise SystemExit(f"{builder_name} stopped with exit code {process.returncode}")
    (site_folder / WIN_CHANCES_PATH).parent.mkdir(exist_ok=True)
    shutil.copy(chances, site_folder / WIN_CHANCES_PATH)
    install_bundle_and_complete_pages(site_folder, base)
    _stop_on_failures(list_traceability_lines_and_faults(site_folder)[1])
    stamp.write_text(current)


def _stop_on_failures(failures: list[str]) -> None:
    if failures:
        raise SystemExit("\n".join(failures))


def main() -> None:
    """Run `python -m build_scripts.build [--builder mkdocs|zensical] [--site FOLDER]`."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--builder", choices=("mkdocs", "zensical"), default="mkdocs")
    parser.add_argument("--site", type=Path, default=SITE)
    arguments = parser.parse_args()
    build_site_if_changed(arguments.builder, arguments.site.resolve())


if __name__ == "__main__":
    main()
