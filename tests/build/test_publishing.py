"""Publishing: the site's address, finished pages, workflows and headers."""

import base64
import hashlib
import json
import re
import subprocess
from pathlib import Path
from urllib.parse import urljoin

import pytest
import yaml

from build_scripts.browser_app import join_and_remove_styles, remove_unused_theme_rules
from build_scripts.browser_app.build import copy_to_hashed_folder
from build_scripts.browser_app.join_assets import merge_adjacent_layers
from build_scripts.pages import finish
from build_scripts.pages.finish import (
    HEADERS,
    PageAssets,
    complete_built_page,
    format_policy,
    list_inline_script_hashes,
)
from build_scripts.paths import ROOT
from build_scripts.service_worker.precache import MANIFEST_FILE, build_web_app_manifest
from build_scripts.site_url import get_base_path, get_normalized_site_url
from scratch_core import __version__


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
def test_site_url_ends_with_one_slash(given: str, address: str, base: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The path comes from the address, with any number of slashes at its end."""
    monkeypatch.setenv("SITE_URL", given)
    assert get_normalized_site_url() == address
    assert get_base_path(get_normalized_site_url()) == base


@pytest.mark.parametrize(
    "given", ["/scratch/", "host.example/scratch", "ftp://host.example/", "https://h.example/?a=1"]
)
def test_invalid_site_url_stops_the_build(given: str) -> None:
    """An address without scheme or host, or with a query, is refused with an example.

    So is an unknown scheme.
    """
    with pytest.raises(SystemExit, match="SITE_URL: expected an address such as"):
        get_normalized_site_url(given)


PAGE = (
    '<!doctype html>\n<html><head><meta charset="utf-8"><title>x</title></head><body>\n'
    '<p>a &lt;scratch-calculator&gt; is no calculator: <code>href="tool:x" data-share href="?y"</code></p>\n'
    '<a href="tool:replay/?scenario=x">open</a> <a data-share href="?out=1">out</a>\n'
    '<scratch-calculator name="dice"><p><b>\n<a class="share" data-share href="?roll=d20&amp;faces=3">share</a></p>\n'
    "</scratch-calculator></body></html>\n"
)


@pytest.mark.parametrize(
    ("path", "root"), [("rules/rolls/index.html", "../../"), ("index.html", ""), ("404.html", "/scratch/")]
)
def test_finished_page_changes_only_links_and_head(path: str, root: str) -> None:
    """The links of fences and calculators are completed.

    Similar text in code is unchanged.
    """
    assets = PageAssets("engine-1", "policy", "/scratch/", worker_script="start()", page_script="later()")
    finished = complete_built_page(PAGE, path, assets)
    head, _, rest = finished.partition("<title>")
    assert f'src="{root}assets/engine-1/calculator.mjs"' in head
    assert head.startswith('<!doctype html>\n<html><head><meta charset="utf-8">\n<meta http-equiv=')
    first_script = '<script data-early="dice" data-worker="assets/engine-1/worker.mjs">start()</script>'
    assert head.partition("<script")[2].startswith(first_script.removeprefix("<script")) == (path == "index.html")
    assert ("early-start.mjs" in head) == ('data-early="dice"' in head) == (path == "index.html")
    expected = PAGE.replace('<a href="tool:', f'<a href="{root}tools/')
    expected = expected.replace('href="?roll', f'href="{root}tools/dice/?roll')
    assert rest == expected.partition("<title>")[2]


@pytest.mark.parametrize("site", ["https://host.example/", "https://host.example/below/a/path/"])
def test_web_app_manifest_starts_at_the_site_address(site: str) -> None:
    """The id, start and scope are the site's address, in a window of its own.

    The full-bleed icon is the maskable one.
    """
    manifest = json.loads(json.dumps(build_web_app_manifest()))
    assert [
        *(urljoin(site + MANIFEST_FILE, manifest[name]) for name in ("id", "start_url", "scope")),
        manifest["display"],
        *(each.get("purpose") for each in manifest["icons"]),
    ] == [*[site] * 3, "standalone", None, "any", "any", "maskable"]


def test_finished_page_links_one_joined_stylesheet() -> None:
    """The joined stylesheet replaces ours and includes the theme's."""
    theme = '<link rel="stylesheet" href="../assets/stylesheets/main.css">'
    ours = '<link rel="stylesheet" href="../stylesheets/{}.css">'
    page = f'<html><head><meta charset="utf-8">{theme}<i></i>{ours.format("scratch")}</head></html>'
    finished = complete_built_page(
        page, "rules/index.html", PageAssets("engine-1", "", "/", ("shared-1.mjs",), "scratch.1.min.css")
    )
    assert finished.endswith(f"<i></i>{ours.format('scratch.1.min')}</head></html>")
    assert '<link rel="modulepreload" href="../assets/engine-1/shared-1.mjs">' in finished


def test_page_has_no_indentation_around_its_article_and_code_keeps_its_own() -> None:
    """Shorten a page, but not its article, code and scripts."""
    navigation = '<nav class="md-nav md-nav--primary">\n  <a>\n\n    Two words\n  </a>\n</nav>\n'
    content = "<pre>  a\n\n  b</pre><script>\n  c\n</script><article>\n\n  d</article>"
    finished = complete_built_page(navigation + content, "rules/index.html", PageAssets("engine-1", "", "/"))
    assert finished == '<nav class="md-nav md-nav--primary">\n<a>\nTwo words\n</a>\n</nav>\n' + content


def test_inline_script_hashes_list_each_script_once() -> None:
    """Data and scripts with an address are not hashed."""
    run = "<script>let a = '<b>';</script><SCRIPT type=module>x</SCRIPT>"
    page = f'{run}<script src="x.js"></script><script type="application/json">{{}}</script><scratch-calculator>'
    hashes = [base64.b64encode(hashlib.sha256(text).digest()).decode() for text in (b"let a = '<b>';", b"x")]
    assert list_inline_script_hashes([page, run]) == sorted(f"'sha256-{each}'" for each in hashes)


def test_publish_workflow_builds_with_the_command_of_the_readme() -> None:
    """The workflow for GitHub Pages sets only the address."""
    workflow = (ROOT / ".github" / "workflows" / "publish.yml").read_text()
    assert "- run: make build\n" in workflow
    assert "SITE_URL: ${{ steps.pages.outputs.base_url }}/" in workflow
    assert "make build SITE_URL=" in (ROOT / "README.md").read_text()


WORKFLOWS = {
    path.stem: yaml.safe_load(path.read_text(encoding="utf-8"))
    for path in sorted((ROOT / ".github" / "workflows").glob("*.yml"))
}
WRITE_PERMISSIONS = {
    ("publish", "publish"): {"pages": "write", "id-token": "write"},
    ("release", "pypi"): {"id-token": "write"},
    ("release", "github"): {"contents": "write"},
}
JOBS = [(workflow, job) for workflow, tree in WORKFLOWS.items() for job in tree["jobs"]]


@pytest.mark.parametrize(("workflow", "job"), JOBS, ids=[" ".join(each) for each in JOBS])
def test_workflow_job_that_may_write_runs_none_of_our_commands(workflow: str, job: str) -> None:
    """Jobs that run them may only read, and actions are pinned to a commit."""
    assert WORKFLOWS[workflow]["permissions"] == {}
    tree = WORKFLOWS[workflow]["jobs"][job]
    steps = tree.get("steps", [])
    commands = [step["run"] for step in steps if "run" in step]
    if (workflow, job) in WRITE_PERMISSIONS:
        assert tree["permissions"] == WRITE_PERMISSIONS[workflow, job]
        assert all(command.startswith("gh release create ") for command in commands)
        assert not any("checkout" in step.get("uses", "") for step in steps)
    else:
        assert set(tree["permissions"].values()) == {"read"}
    depths = {step["with"].get("fetch-depth", 1) for step in steps if "checkout" in step.get("uses", "")}
    assert (0 in depths) == any(
        "BASE" in step.get("env", {}) for step in steps
    )  # the commit to compare with is fetched
    assert not [
        step
        for step in steps
        if "uses" in step and not re.fullmatch(r"(actions|pypa)/[a-z-]+@[0-9a-f]{40}", step["uses"])
    ]


@pytest.mark.parametrize(("workflow", "published"), [("publish", ("publish",)), ("release", ("pypi", "github"))])
def test_publishing_job_needs_build_and_tests(workflow: str, published: tuple[str, ...]) -> None:
    """Pull requests run the same tests."""
    jobs = WORKFLOWS[workflow]["jobs"]
    assert all(jobs[each]["needs"] == "build" for each in published)
    assert jobs["build"]["needs"] == "tests"
    assert jobs["tests"]["uses"] == "./.github/workflows/tests.yml"
    assert {"run": "make test"} in WORKFLOWS["tests"]["jobs"]["tests"]["steps"]


def test_workflow_commands_are_make_targets() -> None:
    """A release is built before it is packed."""
    made = {
        target
        for workflow, job in JOBS
        for step in WORKFLOWS[workflow]["jobs"][job].get("steps", [])
        for target in re.findall(r"\bmake ([\w-]+)", step.get("run", ""))
    }
    assert made >= {"test", "build", "release", "compare-output", "install-browsers", "mutate"}
    assert made <= set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M))
    assert re.findall(
        r"-m (build_\S+|hatch\S+)", subprocess.check_output(["make", "-n", "release"], cwd=ROOT, text=True)
    ) == ["build_scripts.build", "build_scripts.service_worker.archive", "hatchling"]


def test_citation_file_has_the_version_of_the_package() -> None:
    """Compare CITATION.cff with the package."""
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert cited["version"] == __version__


def test_headers_file_has_policy_and_cache_rules() -> None:
    """Only files with a hash in their folder's name are immutable.

    Other files may change under the same name.
    """
    assert HEADERS.format(base="/below/", policy=format_policy(["'sha256-x'"])) == (
        """\
/below/*
  Content-Security-Policy: default-src 'self'; script-src 'self' 'wasm-unsafe-eval' 'sha256-x'; worker-src 'self'; \
style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; \
object-src 'none'; base-uri 'self'; form-action 'self'; frame-ancestors 'self'
  X-Content-Type-Options: nosniff
  Referrer-Policy: no-referrer
  Cross-Origin-Opener-Policy: same-origin
/below/sw.js
  Cache-Control: no-cache
/below/assets/pyodide-*
  Cache-Control: public, max-age=31536000, immutable
/below/assets/engine-*
  Cache-Control: public, max-age=31536000, immutable
"""
    )


BUILT_FILES = """index.html 404.html stylesheets/own.css assets/pyodide-1/x.wasm assets/pyodide-lean-1/x.wasm
assets/engine-1/calculator.mjs assets/engine-1/early-start.mjs assets/engine-1/shared-1.mjs
assets/preview.png assets/x.js
assets/x.js.map assets/javascripts/lunr/de.js javascripts/x.mjs sitemap.xml sitemap.xml.gz"""
ADDED_FILES = """licences.txt manifest.webmanifest assets/icon.svg assets/icon-192.png assets/icon-512.png
assets/icon-full-512.png assets/fonts/vollkorn-latin-wght-normal.woff2 assets/fonts/vollkorn-latin-wght-italic.woff2
assets/fonts/source-sans-3-latin-wght-normal.woff2"""
NOT_PRECACHED = """\
assets/preview.png assets/icon-512.png assets/icon-full-512.png assets/x.js.map assets/javascripts/lunr/de.js
javascripts/x.mjs sitemap.xml sitemap.xml.gz"""


def test_finished_site_is_complete_and_precached_by_digest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files of an earlier build are removed."""
    for name in [*BUILT_FILES.split(), "assets/engine-0/old.mjs"]:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(PAGE if name.endswith("html") else name, encoding="utf-8")
    bundle = tmp_path.with_name("bundle")
    for each in ("pyodide-1", "pyodide-lean-1", "engine-1"):
        (bundle / each).mkdir(parents=True)
    for each, instead in (
        ("ensure_current_bundle", bundle),
        ("add_words_to_search_index", None),
        ("join_home_page_styles", ""),
    ):
        monkeypatch.setattr(finish, each, lambda *_, instead=instead: instead)
    finish.install_bundle_and_complete_pages(tmp_path, "/below/")
    files = {path.relative_to(tmp_path).as_posix(): path for path in tmp_path.rglob("*") if path.is_file()}
    assert {
        *files,
        *re.findall(r'(?:href|src)="((?:assets/|manifest)[^"]*)"', files["index.html"].read_text(encoding="utf-8")),
    } == {*BUILT_FILES.split(), *ADDED_FILES.split(), "_headers", ".nojekyll", "sw.js"}
    listed = files["sw.js"].read_text(encoding="utf-8").split("const PRECACHE = ")[1].split(";")[0]
    assert json.loads(listed) == {
        name: hashlib.sha256(files[name].read_bytes()).hexdigest()
        for name in {*BUILT_FILES.split(), *ADDED_FILES.split()} - {*NOT_PRECACHED.split()}
    }


def test_hashed_folder_name_depends_on_names_contents_and_siblings(tmp_path: Path) -> None:
    """Another name, content or neighbouring folder makes another folder."""
    for name, text, others in (("a", "1", ()), ("b", "1", ()), ("a", "2", ()), ("a", "2", (ROOT / "tests" / "rules",))):
        (tmp_path / name).write_text(text)
        assert (copy_to_hashed_folder(tmp_path, "x", [tmp_path / name], others) / name).read_text() == text


def test_joined_stylesheet_name_depends_on_theme_and_own_styles(tmp_path: Path) -> None:
    """A changed stylesheet of the theme or of ours makes another name."""
    names = []
    for number, (theme_colour, own_colour) in enumerate(
        [("red", "red"), ("red", "red"), ("tan", "red"), ("red", "tan")]
    ):
        theme, own = (tmp_path / str(number) / name for name in ("theme/main.css", "own/scratch.css"))
        for file, colour in ((theme, theme_colour), (own, own_colour)):
            file.parent.mkdir(parents=True)
            file.write_text(f"p {{ color: {colour} }}", encoding="utf-8")
        names.append(join_and_remove_styles([theme], own).name)
    assert names[0] == names[1]
    assert len(set(names)) == 3


def test_theme_rules_that_no_page_or_script_needs_are_removed(tmp_path: Path) -> None:
    """A rule stays if some page, script or template has its class or attribute."""
    files = {
        "index.html": '<p class="on-a-page" data-of-a-page>',
        "assets/javascripts/bundle.js": 'element.classList.add("of-a-script")',
        "assets/stylesheets/main.css": ".on-a-page{c:1}.of-a-script,.in-no-file{c:2}.in-no-file .on-a-page{c:3}"
        "[data-of-a-page]{c:4}[data-in-no-file]{c:5}.answer{c:6}"
        "@media print{.in-no-file{c:7}.on-a-page{c:8}}a:hover{c:9}",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    remove_unused_theme_rules(tmp_path)
    css = (tmp_path / "assets/stylesheets/main.css").read_text(encoding="utf-8")
    expected = (
        ".on-a-page{c:1}.of-a-script{c:2}[data-of-a-page]{c:4}.answer{c:6}@media print{.on-a-page{c:8}}a:hover{c:9}"
    )
    assert "".join(css.split()) == expected.replace(" ", "")


def test_adjacent_layers_of_a_stylesheet_are_merged() -> None:
    """Only neighbours of the same name are merged.

    Braces in strings and escapes are text.
    """
    css = '@layer a,b;@layer a{x{c:"}"}}@layer a{@media print{y{c:d}}}@layer b{.e\\{{c:d}}@layer a{z{c:d}}f{c:d}\n'
    merged = '@layer a,b;@layer a{x{c:"}"}@media print{y{c:d}}}@layer b{.e\\{{c:d}}@layer a{z{c:d}}f{c:d}\n'
    assert merge_adjacent_layers(css) == merged
