"""Finish a site of MkDocs or Zensical: bundle, rulebook, links to rules, rulings, search, content security policy."""

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
# Runs before the page is painted: if the address or this device has content for the calculator, the example is hidden
# until the calculator has read it (`loading-placeholder.mjs`, and `data-comes` in calculators.css).
LOADING_SCRIPT = """\
{
  const tool = /\\/tools\\/([\\w-]+)\\/$/.exec(location.pathname);
  const base = tool ? location.pathname.slice(0, tool.index + 1) : "/";
  let isSaved = false;
  try {
    const prefix = tool && `${base === "/" ? "" : base}scratch-kept-${tool[1]}`;
    isSaved = tool !== null && Object.keys(localStorage).some((key) => key.startsWith(prefix));
  } catch {}
  const hasQuery = location.search.length > 1 || location.hash.startsWith("#?");
  if (isSaved || hasQuery) document.documentElement.dataset.comes = "";
}
"""
# Material fetches the search index on every page and builds it there: a third of a megabyte, and a third of a second of
# a phone's processor time. Here both wait until the user points at the search, or the page's address has search words.
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
# In a page that was opened from a disk, a calculator explains its missing script with another sentence.
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
    """The files and addresses that pages refer to."""

    engine_folder: str
    """The name of the folder of our scripts in assets."""
    policy: str
    """The content security policy; "" for none."""
    base: str
    """The path of the site on its host, with a slash at both ends."""
    shared_scripts: tuple[str, ...] = ()
    """The names of the scripts that our scripts share."""
    stylesheet: str = ""
    """The name of the joined stylesheet; "" to leave the links as they are."""


def list_inline_script_hashes(pages: list[str]) -> list[str]:
    """Return the hashes of all pages' inline scripts, for one common policy."""
    texts = {text for page in pages for text in _list_inline_scripts(page)}
    return sorted(f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'" for text in texts)


def _list_inline_scripts(page: str) -> Iterator[str]:
    """Yield the inline scripts of a page that run.

    A script ends at the first `</script`.
    """
    for match in _SCRIPT.finditer(page):
        kind = _SCRIPT_TYPE.search(match[1])
        if not _SCRIPT_SRC.search(match[1]) and (kind[1] if kind else "") in _SCRIPT_TYPES_RUN:
            yield match[2]


def format_policy(hashes: list[str]) -> str:
    """Format the content security policy with the hashes of inline scripts."""
    sources = {**POLICY, "script-src": " ".join([POLICY["script-src"], *hashes])}
    return "; ".join(f"{name} {value}" for name, value in sources.items())


def finish_page(html: str, path: str, files: PageAssets) -> str:
    """Finish a page.

    `path` is its path in the site. Only tags are searched, so no text is changed.
    """
    root = files.base if path == "404.html" else "../" * path.count("/")
    html = complete_rule_links(fill_ruling_marks(html), path, files.base)
    html = _TOOL_HREF.sub(rf"\1{root}tools/", html)
    html = _CALCULATOR.sub(lambda match: _SHARED.sub(rf"\1{root}tools/{match[1]}/?", match[0]), html)
    html = _NAVIGATION.sub(
        lambda match: _LINE_ENDS.sub("\n", match[0]), _add_accessible_names(html)
    )  # saves 360 bytes, compressed
    is_early = path.startswith(("tools/", "index.html")) and "<scratch-calculator " in html
    html = _CHARSET.sub(lambda match: f"{match[0]}\n{_render_head(root, files, is_early)}", html, count=1)
    if files.stylesheet:
        *theme, own = _STYLE.finditer(html)
        for link in theme:
            html = html.replace(link[0], "")
        html = html.replace(own[0], own[0].replace(own[1].rpartition("/")[2], files.stylesheet))
    return html


def _add_accessible_names(html: str) -> str:
    """Add what the theme lacks for users of a screen reader or a keyboard.

    The search dialog gets a name, and so do the sections of the navigation in the drawer, which the theme names with an
    empty label. Code that may be wider than the window can be scrolled with keys.
    """
    html = _SEARCH.sub(r'\1 aria-label="Search"', html)
    html = _SECTION.sub(r'\1<span class="aloud">The pages of \2</span>\3', html)
    return _CODE.sub(
        lambda match: f"<pre {SCROLL_BOX_ATTRIBUTES}{match[0][4:]}" if _is_wide(match[1]) else match[0], html
    )


def _is_wide(code: str) -> bool:
    return max(map(len, unescape(_TAG.sub("", code)).splitlines()), default=0) > MAX_NARROW_CODE


def _render_head(root: str, files: PageAssets, is_early: bool) -> str:
    """Render our elements of a page's head: the policy and our scripts.

    The policy comes first, because it does not apply to elements before it.
    """
    assets = f"{root}assets/{files.engine_folder}"
    policy = f'<meta http-equiv="Content-Security-Policy" content="{files.policy}">\n' if files.policy else ""
    head = f"{policy}<script>{LAZY_SEARCH_SCRIPT}{FILE_URL_SCRIPT}</script>\n"
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
    """Put the bundle and the fonts into `site`, and finish its pages.

    A second run on the same pages changes nothing. With `is_served`, for `mkdocs serve`, there is no policy, because it
    would block the script of MkDocs, and the stylesheets are not joined.
    """
    engine = install_bundle(site)  # first, because it installs the npm packages of the fonts
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
    write_worker(site, is_offline=is_offline_enabled())  # last, because it lists every file with its digest


def install_bundle(site: Path) -> str:
    """Replace the bundle in `site`, and return the name of the folder of our scripts."""
    bundle, assets = build_bundle(), site / "assets"
    folders = {folder.name: folder for folder in bundle.iterdir() if folder.is_dir()}
    for old in [*assets.glob("pyodide-*"), *assets.glob("engine-*")]:
        if old.name not in folders:
            shutil.rmtree(old)
    for name, folder in folders.items():
        if not (assets / name).exists():
            shutil.copytree(folder, assets / name)  # never changed: its name has a hash of its content
    return next(folder.name for folder in bundle.glob("engine-*"))


def join_site_styles(site: Path, pages: dict[Path, str], join: Callable[[list[Path], Path], Path] = join_styles) -> str:
    """Join the stylesheets that the home page links to, and return the name.

    Returns "" if there is no home page in `pages`.
    """
    home = site / "index.html"
    if home not in pages:
        return ""
    *theme, own = _STYLE.findall(pages[home])
    return join([site / link.split("?")[0] for link in theme], site / own).name
