"""Finishing a site of MkDocs or Zensical: bundle, rulebook, links to rules, rulings, search, policy."""

from __future__ import annotations

import base64
import hashlib
import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from html import unescape
from pathlib import Path

from build_scripts.browser_app import build_bundle, join_styles, write_layered_styles
from build_scripts.markdown_extensions.rule_links import complete_rule_links
from build_scripts.markdown_extensions.ruling_notes import fill_ruling_marks
from build_scripts.pages.licences import write_licences
from build_scripts.pages.rulebook import RULEBOOK_PATH, fill_rulebook
from build_scripts.paths import FONTS, NODE_MODULES
from build_scripts.search.index import enrich_index
from build_scripts.service_worker import is_offline_enabled, write_manifest, write_worker

POLICY = {
    "default-src": "'self'",
    "script-src": "'self' 'wasm-unsafe-eval'",
    "worker-src": "'self'",
    "style-src": "'self' 'unsafe-inline'",
    "img-src": "'self' data:",
    "font-src": "'self'",
    "connect-src": "'self'",
    "manifest-src": "'self'",
    "object-src": "'none'",
    "base-uri": "'self'",
    "form-action": "'self'",
}
HEADERS = """\
{base}*
  Content-Security-Policy: {policy}; frame-ancestors 'self'
  X-Content-Type-Options: nosniff
  Referrer-Policy: no-referrer
  Cross-Origin-Opener-Policy: same-origin
{base}sw.js
  Cache-Control: no-cache
{base}assets/pyodide-*
  Cache-Control: public, max-age=31536000, immutable
{base}assets/engine-*
  Cache-Control: public, max-age=31536000, immutable
"""
# Runs before the page is painted: where the address or this device holds something, the example waits out of sight
# until the calculator has looked closer (`loading-placeholder.mjs`, and `data-comes` in calculators.css).
LOADING_SCRIPT = """\
{
  const name = /\\/tools\\/([\\w-]+)\\/$/.exec(location.pathname)?.[1];
  let isKept = false;
  try {
    isKept = Boolean(name) && Object.keys(localStorage).some((each) => each.includes(`scratch-kept-${name}`));
  } catch {}
  const isAsked = location.search.length > 1 || location.hash.startsWith("#?");
  if (isKept || isAsked) document.documentElement.dataset.comes = "";
}
"""
# Material asks for the search's index on every page and builds it there, a third of a second of a phone's processor and
# a third of a megabyte. Here both wait until someone turns to the search, or a page's address asks for its words.
LAZY_SEARCH_SCRIPT = """\
{
  const { open, send } = XMLHttpRequest.prototype;
  const turned = new Promise((done) => {
    const look = ({ target }) => target.closest?.(".md-search, [for=__search]") && done();
    for (const kind of ["focusin", "pointerover"]) addEventListener(kind, look);
    if (/[?&][qh]=/.test(location.search)) done();
  });
  XMLHttpRequest.prototype.open = function (method, address, ...how) {
    this.isOfSearch = String(address).endsWith("/search/search_index.json");
    return open.call(this, method, address, ...how);
  };
  XMLHttpRequest.prototype.send = function (body) {
    if (!this.isOfSearch) return send.call(this, body);
    turned.then(() => send.call(this, body));
  };
}
"""
# A calculator's sentence about its missing script says another thing in a page that was opened from a disk.
FILE_URL_SCRIPT = "if (location.protocol === 'file:') document.documentElement.dataset.filed = '';\n"
SCROLL_BOX_ATTRIBUTES = 'tabindex="0" role="group" aria-label="Code"'
MAX_NARROW_CODE = 28  # characters of code that fit in the narrowest window, 320 pixels
_SCRIPT = re.compile(r"<script((?:\s[^>]*)?)>(.*?)</script\b", re.S | re.I)
_SCRIPT_SRC, _SCRIPT_TYPE = re.compile(r"\ssrc\b", re.I), re.compile(r"\stype=[\"']?([^\"'\s>]*)", re.I)
_SCRIPT_TYPES_RUN = {"", "text/javascript", "module", "application/javascript"}
_CHARSET = re.compile(r"<meta charset[^<>]*>")
_STYLE = re.compile(r'<link rel="stylesheet" href="([^"]*stylesheets/[^"]*)">')
_TOOL_HREF = re.compile(r'(<a\b[^<>]*?\shref=")tool:')
_CALCULATOR = re.compile(r'<scratch-calculator name="([^"]*)".*?</scratch-calculator>', re.S)
_SHARED = re.compile(r'(<a\b(?=[^<>]*\sdata-share\b)[^<>]*?\shref=")\?')
_SEARCH = re.compile(r'(<div class="md-search"(?![^<>]*aria-label)[^<>]* role="dialog")')
_SECTION = re.compile(
    r'(<a [^<>]*class="md-nav__link [^<>]*>\s*<span class="md-ellipsis">\s*([^<>]*?)\s*</span>\s*</a>'
    r'\s*<label class="md-nav__link [^<>]*>\s*)(<span class="md-nav__icon)'
)
_CODE = re.compile(r"<pre(?![^<>]*tabindex)[^<>]*>(?:<span></span>)?<code[^<>]*>(.*?)</code>", re.S)
_TAG = re.compile(r"<[^<>]*>")
_NAVIGATION = re.compile(r'<nav class="md-nav md-nav--primary.*?(?=<div class="md-content")', re.DOTALL)
_LINE_ENDS = re.compile(r"\s*\n\s*")


@dataclass(frozen=True, slots=True)
class PageAssets:
    """What pages name: the folder of our scripts, those that they share, the joined stylesheet, policy, site's path."""

    engine_folder: str
    policy: str
    base: str
    shared_scripts: tuple[str, ...] = ()
    stylesheet: str = ""


def list_inline_script_hashes(pages: list[str]) -> list[str]:
    """The policy's names for every inline script that runs on any page: one list, so that every page has one policy."""
    texts = {text for page in pages for text in _list_inline_scripts(page)}
    return sorted(f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'" for text in texts)


def _list_inline_scripts(page: str) -> Iterator[str]:
    """The texts of the scripts that stand in a page and run; a script's text ends with the first `</script`."""
    for found in _SCRIPT.finditer(page):
        kind = _SCRIPT_TYPE.search(found[1])
        if not _SCRIPT_SRC.search(found[1]) and (kind[1] if kind else "") in _SCRIPT_TYPES_RUN:
            yield found[2]


def format_policy(hashes: list[str]) -> str:
    """The content security policy with the inline scripts' hashes."""
    sources = {**POLICY, "script-src": " ".join([POLICY["script-src"], *hashes])}
    return "; ".join(f"{name} {value}" for name, value in sources.items())


def finish_page(html: str, path: str, files: PageAssets) -> str:
    """Finish one page: `path` is its place in the site. What is looked for stands in tags, so no word is changed."""
    root = files.base if path == "404.html" else "../" * path.count("/")
    html = complete_rule_links(fill_ruling_marks(html), path, files.base)
    html = _TOOL_HREF.sub(rf"\1{root}tools/", html)
    html = _CALCULATOR.sub(lambda found: _SHARED.sub(rf"\1{root}tools/{found[1]}/?", found[0]), html)
    html = _NAVIGATION.sub(
        lambda found: _LINE_ENDS.sub("\n", found[0]), _add_accessible_names(html)
    )  # 360 bytes less over the line
    is_early = path.startswith(("tools/", "index.html")) and "<scratch-calculator " in html
    html = _CHARSET.sub(lambda found: f"{found[0]}\n{_render_head(root, files, is_early)}", html, count=1)
    if files.stylesheet:
        *theme, own = _STYLE.finditer(html)
        for link in theme:
            html = html.replace(link[0], "")
        html = html.replace(own[0], own[0].replace(own[1].rpartition("/")[2], files.stylesheet))
    return html


def _add_accessible_names(html: str) -> str:
    """What the theme leaves out for readers with a screen reader or without a mouse.

    The search dialog gets a name, and so do the drawer's parts of the navigation, which the theme names by an empty
    label; code that may be wider than the window can be scrolled by keys.
    """
    html = _SEARCH.sub(r'\1 aria-label="Search"', html)
    html = _SECTION.sub(r'\1<span class="aloud">The pages of \2</span>\3', html)
    return _CODE.sub(
        lambda found: f"<pre {SCROLL_BOX_ATTRIBUTES}{found[0][4:]}" if _is_wide(found[1]) else found[0], html
    )


def _is_wide(code: str) -> bool:
    return max(map(len, unescape(_TAG.sub("", code)).splitlines()), default=0) > MAX_NARROW_CODE


def _render_head(root: str, files: PageAssets, is_early: bool) -> str:
    """What stands in the head of a page: the policy before everything that it binds, and our scripts."""
    assets = f"{root}assets/{files.engine_folder}"
    bound = f'<meta http-equiv="Content-Security-Policy" content="{files.policy}">\n' if files.policy else ""
    head = f"{bound}<script>{LAZY_SEARCH_SCRIPT}{FILE_URL_SCRIPT}</script>\n"
    head += f'<script type="module" src="{assets}/calculator.mjs"></script>\n'
    head += "".join(f'<link rel="modulepreload" href="{assets}/{name}">\n' for name in files.shared_scripts)
    if is_offline_enabled():
        head += f'<link rel="manifest" href="{root}manifest.webmanifest">\n'
        head += f'<link rel="apple-touch-icon" href="{root}assets/icon-192.png">\n'
    if is_early:
        head += f"<script>{LOADING_SCRIPT}</script>\n"
        head += f'<script type="module" async src="{assets}/early-start.mjs"></script>\n'
    return head


def finish_site(site: Path, base: str = "/", *, is_served: bool = False) -> None:
    """Put the bundle and the fonts into `site` and finish its pages; run twice on the same pages it changes nothing.

    `is_served`: for `mkdocs serve`, whose script no policy would let run, with each stylesheet as it is.
    """
    engine = install_bundle(site)  # the first: it installs what the fonts come with
    (site / "assets" / "fonts").mkdir(parents=True, exist_ok=True)
    for font in FONTS:
        shutil.copy(NODE_MODULES / font, site / "assets" / "fonts" / Path(font).name)
    shared = tuple(sorted(script.name for script in (site / "assets" / engine).glob("shared-*.mjs")))
    pages = {path: path.read_text(encoding="utf-8") for path in sorted(site.rglob("*.html"))}
    pages = {path: html for path, html in pages.items() if "<head" in html and "assets/engine-" not in html}
    if site / RULEBOOK_PATH in pages:
        pages[site / RULEBOOK_PATH] = fill_rulebook(
            {path.relative_to(site).as_posix(): html for path, html in pages.items()}
        )
    style = join_site_styles(site, pages, write_layered_styles if is_served else join_styles)
    own = f"<script>{LOADING_SCRIPT}</script><script>{LAZY_SEARCH_SCRIPT}{FILE_URL_SCRIPT}</script>"
    policy = "" if is_served else format_policy(list_inline_script_hashes([*pages.values(), own]))
    for path, html in pages.items():
        finished = finish_page(html, path.relative_to(site).as_posix(), PageAssets(engine, policy, base, shared, style))
        path.write_text(finished, encoding="utf-8", newline="\n")
    enrich_index(site)
    (site / "_headers").write_text(HEADERS.format(policy=policy, base=base))
    (site / ".nojekyll").touch()
    write_licences(site)
    if is_offline_enabled():
        write_manifest(site)
    write_worker(site, is_offline=is_offline_enabled())  # the last: it lists every file with its digest


def install_bundle(site: Path) -> str:
    """Put the bundle into `site` in the place of an earlier one; gives the name of the folder with our scripts."""
    bundle, assets = build_bundle(), site / "assets"
    folders = {folder.name: folder for folder in bundle.iterdir() if folder.is_dir()}
    for old in [*assets.glob("pyodide-*"), *assets.glob("engine-*")]:
        if old.name not in folders:
            shutil.rmtree(old)
    for name, folder in folders.items():
        if not (assets / name).exists():  # the name is its content's
            shutil.copytree(folder, assets / name)
    return next(folder.name for folder in bundle.glob("engine-*"))


def join_site_styles(site: Path, pages: dict[Path, str], join: Callable[[list[Path], Path], Path] = join_styles) -> str:
    """Join the theme's stylesheets and ours, as the home page names them, and give the name; "" where it is done."""
    home = site / "index.html"
    if home not in pages:
        return ""
    *theme, own = _STYLE.findall(pages[home])
    return join([site / link.split("?")[0] for link in theme], site / own).name
