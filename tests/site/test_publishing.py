"""Where the site will be read, and what finishes a page, whatever its address."""

from __future__ import annotations

import base64
import hashlib
import re
from urllib.parse import urljoin

import pytest
import yaml

from build_scripts.address import base_of, read_address
from build_scripts.finish_site import Files, finish_page, inline_script_hashes
from build_scripts.folders import ROOT
from build_scripts.offline.keeping import MANIFEST, manifest


@pytest.mark.parametrize(
    ("given", "address", "base"),
    [
        ("", "http://127.0.0.1:8000/", "/"),
        ("https://host.example", "https://host.example/", "/"),
        ("https://host.example/scratch", "https://host.example/scratch/", "/scratch/"),
        ("https://host.example/scratch//", "https://host.example/scratch/", "/scratch/"),
        ("http://host.example:8080/a/b/", "http://host.example:8080/a/b/", "/a/b/"),
    ],
    ids=["none", "host", "path", "slashes", "port"],
)
def test_an_address_ends_with_one_slash(given: str, address: str, base: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The address decides the path, however its slashes are written."""
    monkeypatch.setenv("SITE_URL", given)
    assert read_address() == address
    assert base_of(read_address()) == base


@pytest.mark.parametrize(
    "given", ["/scratch/", "host.example/scratch", "ftp://host.example/", "https://h.example/?a=1"]
)
def test_what_is_no_address_stops_the_build(given: str) -> None:
    """A path alone, a host without its scheme, a query: one sentence says what is expected."""
    with pytest.raises(SystemExit, match="SITE_URL: expected an address such as"):
        read_address(given)


PAGE = (
    '<!doctype html>\n<html><head><meta charset="utf-8"><title>x</title></head><body>\n'
    '<p>a &lt;scratch-calculator&gt; is no calculator: <code>href="tool:x"</code> data-share href="?y"</p>\n'
    '<a href="tool:replay/?scenario=x">open</a> <a data-share href="?out=1">out</a>\n'
    '<scratch-calculator name="dice"><p><b>\n<a class="share" data-share href="?roll=d20&amp;faces=3">share</a></p>\n'
    "</scratch-calculator></body></html>\n"
)


@pytest.mark.parametrize(
    ("path", "root"), [("rules/rolls/index.html", "../../"), ("index.html", ""), ("404.html", "/scratch/")]
)
def test_only_what_is_meant_changes_in_a_page(path: str, root: str) -> None:
    """Links of fences and calculators and the head are completed; every other sign stays, even where it looks alike."""
    finished = finish_page(PAGE, path, Files("engine-1", "policy", "/scratch/"))
    head, _, rest = finished.partition("<title>")
    assert f'src="{root}assets/engine-1/calculator.mjs"' in head
    assert head.startswith('<!doctype html>\n<html><head><meta charset="utf-8">\n<meta http-equiv=')
    assert ("early.mjs" in head) == (path == "index.html")
    expected = PAGE.replace('<a href="tool:', f'<a href="{root}tools/')
    expected = expected.replace('href="?roll', f'href="{root}tools/dice/?roll')
    assert rest == expected.partition("<title>")[2]


@pytest.mark.parametrize("site", ["https://host.example/", "https://host.example/below/a/path/"])
def test_the_app_begins_at_the_site(site: str) -> None:
    """Wherever the site lies, it is what an installed one opens, and all of it belongs to that."""
    told = manifest()
    assert {urljoin(site + MANIFEST, str(told[name])) for name in ("id", "start_url", "scope")} == {site}


def test_stylesheets_become_one() -> None:
    """The joined stylesheet stands where ours stood; the theme's are in it, and nothing else changes."""
    theme = '<link rel="stylesheet" href="../assets/stylesheets/main.css">'
    ours = '<link rel="stylesheet" href="../stylesheets/{}.css">'
    page = f'<html><head><meta charset="utf-8">{theme}<i></i>{ours.format("scratch")}</head></html>'
    finished = finish_page(page, "rules/index.html", Files("engine-1", "", "/", ("shared-1.mjs",), "scratch.1.min.css"))
    assert finished.endswith(f"<i></i>{ours.format('scratch.1.min')}</head></html>")
    assert '<link rel="modulepreload" href="../assets/engine-1/shared-1.mjs">' in finished


def test_the_policy_names_every_inline_script() -> None:
    """Scripts that run are named by their hash, once each; data and scripts with an address are not."""
    run = "<script>let a = '<b>';</script><SCRIPT type=module>x</SCRIPT>"
    page = f'{run}<script src="x.js"></script><script type="application/json">{{}}</script><scratch-calculator>'
    hashes = [base64.b64encode(hashlib.sha256(text).digest()).decode() for text in (b"let a = '<b>';", b"x")]
    assert inline_script_hashes([page, run]) == sorted(f"'sha256-{each}'" for each in hashes)


def test_the_workflow_builds_with_the_readmes_command() -> None:
    """The workflow for GitHub Pages sets the address alone and runs what the README says."""
    workflow = (ROOT / ".github" / "workflows" / "publish.yml").read_text()
    assert "- run: make build\n" in workflow
    assert "SITE_URL: ${{ steps.pages.outputs.base_url }}/" in workflow
    assert "make build SITE_URL=" in (ROOT / "README.md").read_text()


def test_what_builds_can_publish_nothing_and_what_publishes_runs_nothing_of_ours() -> None:
    """Two jobs: only the second may write, and it has no command; each action is named by its commit."""
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "publish.yml").read_text(encoding="utf-8"))
    build, publish = (workflow["jobs"][name] for name in ("build", "publish"))
    assert workflow["permissions"] == {}
    assert set(build["permissions"].values()) == {"read"}
    assert publish["permissions"] == {"pages": "write", "id-token": "write"}
    assert publish["needs"] == "build"
    assert not [step for step in publish["steps"] if "run" in step]
    used = [step["uses"] for job in (build, publish) for step in job["steps"] if "uses" in step]
    assert len(used) == 5
    assert [each for each in used if not re.fullmatch(r"actions/[a-z-]+@[0-9a-f]{40}", each)] == []
