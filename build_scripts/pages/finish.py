"""Finish a site of MkDocs or Zensical: bundle, rulebook, links to rules, rulings, search, content security policy.

Links, marks of rulings and accessible names are completed here and not where they are made: Python-Markdown does not
know the page, Zensical has no hooks, and a template of our own would be a copy of each theme's.
"""

from __future__ import annotations

import base64
import hashlib
import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from html import unescape
from pathlib import Path

from build_scripts.browser_app import (
    build_inline_scripts,
    ensure_current_bundle,
    join_and_remove_styles,
    remove_unused_theme_rules,
    write_layered_imports,
)
from build_scripts.markdown_extensions.rule_links import make_rule_links_relative
from build_scripts.markdown_extensions.ruling_notes import render_ruling_notes
from build_scripts.pages.licences import write_licences
from build_scripts.pages.rulebook import RULEBOOK_PATH, fill_rulebook
from build_scripts.paths import FONTS, NODE_MODULES
from build_scripts.render import set_typographic_quotes
from build_scripts.search.index import add_words_to_search_index
from build_scripts.service_worker import is_offline_enabled, write_service_worker, write_web_app_manifest_and_icons

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
_SEARCH_EXCLUSION = re.compile(r'(<[^<>]*?) data-search-exclude(?:="")?(?=[\s/>])')  # the search index is already built
_INDENTATION = re.compile(r"(<article\b.*</article>|<(script|pre|textarea)\b.*?</\2>)|\s*\n\s*", re.DOTALL)


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
    page_script: str = ""
    """The inline script of every page."""
    worker_script: str = ""
    """The inline script that starts Python before a page is parsed."""
    loading_script: str = ""
    """The inline script of a page whose calculator may have other content than the example."""


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


def complete_built_page(html: str, page_path: str, page_assets: PageAssets) -> str:
    """Add our head elements to a built page and complete its links.

    Also renders the notes of rulings, adds accessible names, and replaces the stylesheets of the theme by the joined
    one. `page_path` is the page's path in the site. Of the existing text only quotation marks change."""
    root = page_assets.base if page_path == "404.html" else "../" * page_path.count("/")
    html = _SEARCH_EXCLUSION.sub(r"\1", render_ruling_notes(html))
    html = make_rule_links_relative(html, page_path, page_assets.base)
    html = set_typographic_quotes(_TOOL_HREF.sub(rf"\1{root}tools/", html))
    html = _CALCULATOR.sub(lambda match: _SHARED.sub(rf"\1{root}tools/{match[1]}/?", match[0]), html)
    html = _INDENTATION.sub(lambda match: match[1] or "\n", _add_accessible_names(html))  # saves 700 bytes
    calculator = _CALCULATOR.search(html) if page_path.startswith(("tools/", "index.html")) else None
    early_calculator = calculator[1] if calculator else ""
    has_placeholder = bool(early_calculator) or "<scratch-cast-filter>" in html
    head = _render_own_head_elements(root, page_assets, early_calculator, has_placeholder=has_placeholder)
    html = _CHARSET.sub(lambda match: f"{match[0]}\n{head}", html, count=1)
    if page_assets.stylesheet:
        *theme, own = _STYLE.finditer(html)
        for link in theme:
            html = html.replace(link[0], "")
        html = html.replace(own[0], own[0].replace(own[1].rpartition("/")[2], page_assets.stylesheet))
    return html


def _add_accessible_names(html: str) -> str:
    """Add what the theme lacks for users of a screen reader or a keyboard.

    The search dialog gets a name, and so do the sections of the navigation in the drawer, which the theme names with an
    empty label. Code that may be wider than the window can be scrolled with keys.
    """
    html = _SEARCH.sub(r'\1 aria-label="Search"', html)
    html = _SECTION.sub(r'\1<span class="u-aloud">The pages of \2</span>\3', html)
    return _CODE.sub(
        lambda match: f"<pre {SCROLL_BOX_ATTRIBUTES}{match[0][4:]}" if _is_wide(match[1]) else match[0], html
    )


def _is_wide(code: str) -> bool:
    return max(map(len, unescape(_TAG.sub("", code)).splitlines()), default=0) > MAX_NARROW_CODE


def _render_own_head_elements(
    root: str, page_assets: PageAssets, early_calculator: str, *, has_placeholder: bool
) -> str:
    """Render our elements of a page's head: the policy and our scripts.

    The policy comes first, because it does not apply to elements before it. `early_calculator` is the name of the
    calculator that Python is started for before the page is parsed, "" for none.
    """
    assets = f"{root}assets/{page_assets.engine_folder}"
    policy = (
        f'<meta http-equiv="Content-Security-Policy" content="{page_assets.policy}">\n' if page_assets.policy else ""
    )
    head = policy
    if early_calculator:
        attributes = f'data-early="{early_calculator}" data-worker="{assets}/worker.mjs"'
        head += f"<script {attributes}>{page_assets.worker_script}</script>\n"
        head += f'<script type="module" async src="{assets}/early-start.mjs"></script>\n'
    head += f"<script>{page_assets.page_script}</script>\n"
    head += "".join(f'<link rel="modulepreload" href="{assets}/{name}">\n' for name in page_assets.shared_scripts)
    head += f'<script type="module" src="{assets}/calculator.mjs"></script>\n'
    if is_offline_enabled():
        head += f'<link rel="manifest" href="{root}manifest.webmanifest">\n'
        head += f'<link rel="apple-touch-icon" href="{root}assets/icon-192.png">\n'
    if has_placeholder:
        head += f"<script>{page_assets.loading_script}</script>\n"
    return head


def install_bundle_and_complete_pages(site_folder: Path, base_path: str = "/", *, is_served: bool = False) -> None:
    """Put the bundle and the fonts into `site_folder`, and finish its pages.

    A second run on the same pages changes nothing. With `is_served`, for `mkdocs serve`, there is no policy, because it
    would block the script of MkDocs, and the stylesheets are not joined.
    """
    engine = build_and_copy_bundle(site_folder)  # first, because it installs the npm packages of the fonts
    (site_folder / "assets" / "fonts").mkdir(parents=True, exist_ok=True)
    for font in FONTS:
        shutil.copy(NODE_MODULES / font, site_folder / "assets" / "fonts" / Path(font).name)
    shared = tuple(sorted(script.name for script in (site_folder / "assets" / engine).glob("shared-*.mjs")))
    pages = {path: path.read_text(encoding="utf-8") for path in sorted(site_folder.rglob("*.html"))}
    pages = {path: html for path, html in pages.items() if "<head" in html and "assets/engine-" not in html}
    if site_folder / RULEBOOK_PATH in pages:
        pages[site_folder / RULEBOOK_PATH] = fill_rulebook(
            {path.relative_to(site_folder).as_posix(): html for path, html in pages.items()}
        )
    if not is_served:
        remove_unused_theme_rules(site_folder)
    style = join_home_page_styles(site_folder, pages, write_layered_imports if is_served else join_and_remove_styles)
    inline = build_inline_scripts()
    own = (inline["lazy-search"] + inline["file-url"], inline["early-worker"], inline["loading"])
    hashes = list_inline_script_hashes([*pages.values(), *(f"<script>{script}</script>" for script in own)])
    files = PageAssets(engine, "" if is_served else format_policy(hashes), base_path, shared, style, *own)
    for path, html in pages.items():
        finished = complete_built_page(html, path.relative_to(site_folder).as_posix(), files)
        path.write_text(finished, encoding="utf-8", newline="\n")
    add_words_to_search_index(site_folder)
    (site_folder / "_headers").write_text(HEADERS.format(policy=files.policy, base=base_path))
    (site_folder / ".nojekyll").touch()
    write_licences(site_folder)
    if is_offline_enabled():
        write_web_app_manifest_and_icons(site_folder)
    # Last, because it lists every file with its digest.
    write_service_worker(site_folder, is_offline_enabled=is_offline_enabled())


def build_and_copy_bundle(site_folder: Path) -> str:
    """Replace the bundle in `site_folder`, and return the name of the folder of our scripts."""
    bundle, assets = ensure_current_bundle(), site_folder / "assets"
    folders = {folder.name: folder for folder in bundle.iterdir() if folder.is_dir()}
    for old in [*assets.glob("pyodide-*"), *assets.glob("engine-*")]:
        if old.name not in folders:
            shutil.rmtree(old)
    for name, folder in folders.items():
        if not (assets / name).exists():
            shutil.copytree(folder, assets / name)  # never changed: its name has a hash of its content
    return next(folder.name for folder in bundle.glob("engine-*"))


def join_home_page_styles(
    site: Path, pages: dict[Path, str], join: Callable[[list[Path], Path], Path] = join_and_remove_styles
) -> str:
    """Join the stylesheets that the home page links to, and return the name.

    Returns "" if there is no home page in `pages`.
    """
    home = site / "index.html"
    if home not in pages:
        return ""
    *theme, own = _STYLE.findall(pages[home])
    return join([site / link.split("?")[0] for link in theme], site / own).name
