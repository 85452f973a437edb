"""Take screenshots of every page, and of each calculator in its states, in three widths, light and dark.

`python -m build_scripts.dev.screenshots --only home,dice-*` takes them from the last built site, with the stylesheets
and templates of this tree, into build/pictures. All scripts of a page run, except Python in its worker: the form of a
calculator is submitted, and the response of a state is the answer. `compare_output --pictures` compares two
trees.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PIL import Image, ImageChops, ImageDraw

from build_scripts.browser_drivers import TIMEOUT_MS
from build_scripts.browsers import launch_chromium
from build_scripts.dev.serve import serve_site
from build_scripts.pages.finish import join_home_page_styles
from build_scripts.paths import BUILD, OVERRIDES, ROOT, SITE, create_empty_folder

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Response, Route, ViewportSize

QUERY_CORPUS_SCRIPT = Path(__file__).with_name("query_corpus.py")
FOLDER = BUILD / "pictures"
WIDTHS = {390: 664, 1280: 800, 1920: 1080}
"""The widths of the window with their heights, in CSS pixels: a phone with its bars, a desktop, a wide desktop."""
SCHEMES = {"light": "default", "dark": "slate"}
"""The colour schemes of a browser, and the theme's names for them."""
PICTURED_STATES = {
    "board": {"filled": "a token selected", "wrong": "wrong", "middle": "a path past two interrupters"},
    "character": {
        "filled": "levels",
        "wrong": "a stat block is wrong",
        "middle": "points left",
        "play": "in play, one hit point left",
    },
    "dice": {"filled": "a success", "wrong": "wrong", "middle": "keys pressed"},
    "fight": {
        "filled": "two are ready",
        "wrong": "a stat block is wrong",
        "turn": "the first turn",
        "middle": "in the middle",
        "board": "on the board",
        "order": "mano, a counterattack to choose",
        "over": "over",
    },
    "initiative": {"filled": "scratch", "wrong": "wrong", "middle": "a tie without a die"},
    "odds": {"filled": "two of the cast", "wrong": "wrong", "middle": "one alone"},
    "replay": {
        "filled": "the beginning",
        "wrong": "a wrong change",
        "middle": "the middle",
        "board": "on the board, a blast",
    },
}
"""The states of tests/support/states.py to take screenshots of, by calculator and name of the screenshot."""
WAIT_STATES = {"loading": "starting", "failed": "failed"}
"""The states of a calculator with a filled form whose worker does not answer."""
MAX_NOISE = 2
"""The maximum difference of a colour, of 255, that is ignored: the edge of a round corner varies a little."""
MARGIN_PIXELS = 24
MAX_COMPARISON_HEIGHT = 4000
"""The maximum height of a comparison in pixels."""
Image.MAX_IMAGE_PIXELS = None  # Pillow would reject the rulebook on a phone as a decompression bomb


@dataclass(frozen=True, slots=True)
class PictureSettings:
    """How to take screenshots."""

    widths: tuple[int, ...] = tuple(WIDTHS)
    """The widths of the window, in CSS pixels."""
    schemes: tuple[str, ...] = tuple(SCHEMES)
    """The colour schemes: names in `SCHEMES`."""
    stylesheet: Path | None = None
    """A stylesheet that replaces the site's own; None for the site's."""
    is_viewport_only: bool = False
    """Whether to take the visible part of the page instead of the whole page."""
    scale: int = 1
    """The pixels of the screenshot for each CSS pixel."""


@dataclass(frozen=True, slots=True)
class Shot:
    """A page of the site to take a screenshot of, unchanged or with a calculator's response in it."""

    name: str
    """The name of the screenshot's file, without width, scheme and ending."""
    path: str
    """The page's path in the site."""
    calculator: str = ""
    """The calculator whose response replaces the example; "" for an unchanged page."""
    query: str = ""
    """The query of the response."""
    state: str = "ready"
    """The state of the calculator's element: "ready", or one of `WAIT_STATES`."""


def list_page_shots(site: Path) -> Iterator[Shot]:
    """Yield every page unchanged."""
    for file in sorted(site.rglob("*.html")):
        path = file.relative_to(site).as_posix().removesuffix("index.html")
        yield Shot(re.sub("^tools/(?=.)", "", path).strip("/").removesuffix(".html").replace("/", "-") or "home", path)


def list_state_shots(name: str) -> Iterator[Shot]:
    """Yield a calculator's screenshots: empty, filled, wrong, in use, loading and failed."""
    from tests.support.states import STATES

    queries = {"empty": ""} | {kind: STATES[name][state] for kind, state in PICTURED_STATES[name].items()}
    for kind, query in queries.items():
        yield Shot(f"{name}-{kind}", f"tools/{name}/", name, query)
    for kind, state in WAIT_STATES.items():
        yield Shot(f"{name}-{kind}", f"tools/{name}/", name, queries["filled"], state)


def list_shots(site: Path, only: Sequence[str] = ()) -> list[Shot]:
    """List the screenshots with these names: `home,fight-*`, `fight:one side alone`, `dice?roll=2d6&faces=3,4`.

    Without names it lists all. Raises SystemExit if no name matches.
    """
    every_shot = [*list_page_shots(site), *(shot for name in PICTURED_STATES for shot in list_state_shots(name))]
    if not only:
        return every_shot
    shots = [parse_shot(each) for each in only if _SHOT_PATTERN.match(each)]
    names = [name for each in only if not _SHOT_PATTERN.match(each) for name in each.split(",")]
    shots += [shot for shot in every_shot if any(fnmatchcase(shot.name, name) for name in names)]
    if not shots:
        raise SystemExit(f"expected names among {', '.join(shot.name for shot in every_shot)}, got {', '.join(only)}")
    return sorted(shots, key=lambda shot: (shot.path, bool(shot.calculator)))


_SHOT_PATTERN = re.compile(r"(\w+)([:?])(.*)", re.DOTALL)


def parse_shot(text: str) -> Shot:
    """Parse the query (`dice?roll=2d6`) or the state (`dice:wrong`) of a calculator.

    The states are those of tests/support/states.py. Raises SystemExit for an unknown calculator or state.
    """
    from tests.support.states import STATES

    match = _SHOT_PATTERN.fullmatch(text)
    assert match, "the caller checks the pattern"
    name, mark, value = match.groups()
    if name not in STATES:
        raise SystemExit(f"expected a calculator among {', '.join(STATES)}, got {name!r} in {text!r}")
    if mark == ":" and value not in STATES[name]:
        raise SystemExit(f"expected a state of {name} among {'; '.join(STATES[name])}, got {value!r} in {text!r}")
    query = value if mark == "?" else STATES[name][value]
    return Shot(f"{name}-{re.sub(r'[^a-z0-9]+', '-', value.lower())[:40].strip('-')}", f"tools/{name}/", name, query)


Answers = Mapping[tuple[str, str], Mapping[str, str]]
"""The response by calculator and query: `html`, `query` and `summary`, or `error`."""


def render_answers_in_tree(shots: Iterable[Shot], tree: Path = ROOT) -> Answers:
    """Return the shots' responses by a tree's engine, with repeatable dice."""
    pairs = list(dict.fromkeys((shot.calculator, shot.query) for shot in shots if shot.calculator))
    with tempfile.TemporaryDirectory() as folder:
        queries, answers = Path(folder) / "queries.json", Path(folder) / "answers.json"
        queries.write_text(json.dumps(pairs), encoding="utf-8")
        subprocess.run(
            [sys.executable, str(QUERY_CORPUS_SCRIPT), str(tree), str(queries), str(answers)], cwd=tree, check=True
        )
        responses = json.loads(answers.read_text(encoding="utf-8"))
    return dict(zip(pairs, responses, strict=True))


NEW_PROFILE_SCRIPT = """delete Navigator.prototype.serviceWorker;
localStorage.clear();
sessionStorage.clear();
indexedDB.deleteDatabase("scratch-kept");"""
"""Makes the browser one without saved entries, and without service workers, which would save the whole site."""
SUBMIT_SCRIPT = """document.querySelector("scratch-calculator form").dispatchEvent(
  new SubmitEvent("submit", { bubbles: true, cancelable: true }),
)"""
WORKER_SCRIPT = Path(__file__).with_name("screenshot_worker.mjs")
WORKER_MESSAGES_URL = re.compile(r"/worker-messages$")


class Camera:
    """A page of one width, whose worker gives the answers of shots."""

    def __init__(self, browser: Browser, url: str, width: int, style: Path | None = None, **options: Any) -> None:
        self.url = url
        self.shot = Shot("", "")
        self.answers: Answers = {}
        self.is_waiting = False
        """Whether the shot's answer is in the page, and the worker gives no other."""
        size: ViewportSize = {"width": width, "height": WIDTHS.get(width, 800)}
        context = browser.new_context(
            **{"viewport": size, "reduced_motion": "reduce", "service_workers": "block", **options}
        )
        context.set_default_timeout(TIMEOUT_MS)
        self.page: Page = context.new_page()
        self.page.add_init_script(NEW_PROFILE_SCRIPT)
        script = re.compile(r"/worker\.mjs$")
        self.page.route(script, lambda route: route.fulfill(path=WORKER_SCRIPT, content_type="text/javascript"))
        self.page.route(WORKER_MESSAGES_URL, self._fulfill_as_worker)
        if style:
            own = re.compile(r"/scratch[\w.]*\.css$")
            self.page.route(own, lambda route: route.fulfill(path=style, content_type="text/css"))

    def load_shot_page(self, shot: Shot, answers: Answers) -> Page:
        """Load a page, and submit the form to get the shot's answer."""
        self.shot, self.answers, self.is_waiting = shot, answers, False
        self.page.goto(self.url + shot.path)
        if shot.calculator:
            with self.page.expect_response(self._is_answer):
                self.page.evaluate(SUBMIT_SCRIPT)
            self._wait_for_state("failed" if "error" in answers[shot.calculator, shot.query] else "ready")
        if shot.state != "ready":
            self.is_waiting = True
            self.page.evaluate(SUBMIT_SCRIPT)
            self._wait_for_state(shot.state)
        self.page.evaluate("document.activeElement.blur()")  # a press of a mouse or finger shows no focus
        return self.page

    def _is_answer(self, response: Response) -> bool:
        return bool(WORKER_MESSAGES_URL.search(response.url)) and "id" in json.loads(response.request.post_data or "{}")

    def _wait_for_state(self, state: str) -> None:
        stale = "[stale]" if state != "ready" else ":not([stale], [data-unsent])"
        self.page.wait_for_selector(f"scratch-calculator[data-state={state}]{stale}", state="attached")

    def _fulfill_as_worker(self, route: Route) -> None:
        """Answer a message of the page as the worker would."""
        message = json.loads(route.request.post_data or "{}")
        messages: list[dict[str, Any]] = []
        if "id" in message and self.is_waiting:
            messages = [{"type": "crashed"}]
        elif "id" in message:
            answer = self.answers[self.shot.calculator, self.shot.query]
            error = {"error": answer["error"]} if "error" in answer else {}  # the page takes null for an error
            messages = [{"id": message["id"], "result": json.dumps(answer), **error}]
        elif not self.is_waiting:
            messages = [{"type": "ready", "milliseconds": 0, "supportsSnapshots": False}]
        elif self.shot.state == "failed":
            messages = [{"type": "timeout", "file": "pyodide.asm.wasm"}]
        route.fulfill(json=messages)

    def set_scheme(self, scheme: str) -> None:
        """Set the colour scheme."""
        self.page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        self.page.wait_for_selector(f"body[data-md-color-scheme={SCHEMES[scheme]}]")


def write_joined_stylesheet(folder: Path) -> Path:
    """Join this tree's stylesheets in `folder`, like the build, and return the path."""
    import material

    theme = Path(material.__file__).parent / "templates" / "assets" / "stylesheets"
    shutil.copytree(theme, folder / "assets" / "stylesheets", ignore=shutil.ignore_patterns("*.map"))
    shutil.copytree(OVERRIDES / "stylesheets", folder / "stylesheets")
    below = sorted(each.relative_to(folder).as_posix() for each in (folder / "assets").rglob("*.min.css"))
    own = re.findall(r"stylesheets/[\w-]+\.css", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"))
    links = "".join(f'<link rel="stylesheet" href="{each}">' for each in (*below, *own))
    return folder / "stylesheets" / join_home_page_styles(folder, {folder / "index.html": links})


def take_shots(
    site: Path, shots: Sequence[Shot], answers: Answers, folder: Path, settings: PictureSettings
) -> Iterator[Path]:
    """Take screenshots into `folder`, and yield their files."""
    folder.mkdir(parents=True, exist_ok=True)
    with serve_site(site) as url, launch_chromium() as browser:
        for width in settings.widths:
            camera = Camera(browser, url, width, settings.stylesheet, device_scale_factor=settings.scale)
            for shot in shots:
                page = camera.load_shot_page(shot, answers)
                if not settings.is_viewport_only:
                    page.evaluate("scrollTo(0, 0)")  # the header is at the top of the picture then
                for scheme in settings.schemes:
                    camera.set_scheme(scheme)
                    file = folder / f"{shot.name}-{width}-{scheme}.png"
                    page.screenshot(path=file, full_page=not settings.is_viewport_only, animations="disabled")
                    yield file


def take_all_shots(site: Path, tree: Path, folder: Path) -> None:
    """Take every screenshot of a built site into `folder`, the widths in parallel.

    The responses of calculators are those of `tree`.
    """
    create_empty_folder(folder)
    shots = list_shots(site)
    answers = render_answers_in_tree(shots, tree)
    print(f"Taking {len(shots) * len(WIDTHS) * len(SCHEMES)} pictures of {site} …", flush=True)
    with ThreadPoolExecutor() as pool:
        list(
            pool.map(
                lambda width: list(take_shots(site, shots, answers, folder, PictureSettings(widths=(width,)))), WIDTHS
            )
        )


# Before and after


@dataclass(frozen=True, slots=True)
class ChangedArea:
    """The area in which two pictures differ."""

    share: float
    """The share of all pixels that differ."""
    box: tuple[int, int, int, int]
    """The changed box in the picture after: left, top, right, bottom."""
    rows: tuple[tuple[int, int], tuple[int, int]]
    """The first row and the row after the last one of the changed band, before and after."""


def find_changed_area(before: Image.Image, after: Image.Image) -> ChangedArea | None:
    """Return the area in which two pictures differ, or None if they look the same.

    Equal rows at the top and at the bottom are skipped, even if the pictures have different heights.
    """
    width, height = max(before.width, after.width), max(before.height, after.height)
    rows = [split_rows(each) for each in (before, after)]
    top = count_similar_top_rows(*rows)
    if top == before.height == after.height and before.width == after.width:
        return None
    bottom = count_similar_top_rows(*(each[top:][::-1] for each in rows))
    bands = [(top, each.height - bottom) for each in (before, after)]
    tallest = max(end - begin for begin, end in bands)
    papers = [Image.new("RGB", (width, tallest), "magenta") for _ in bands]
    for paper, each, (begin, end) in zip(papers, (before, after), bands, strict=True):
        paper.paste(each.crop((0, begin, each.width, end)), (0, 0))
    difference = reduce(ImageChops.lighter, ImageChops.difference(*papers).split()).point(
        lambda value: 255 * (value > MAX_NOISE)
    )
    left, upper, right, lower = difference.getbbox() or (0, 0, 0, 0)
    share = difference.histogram()[255] / (width * height)
    return ChangedArea(share, (left, top + upper, right, top + lower), (bands[0], bands[1]))


def split_rows(picture: Image.Image) -> list[bytes]:
    """Return the bytes of each row of a picture."""
    data, row_length = picture.tobytes(), 3 * picture.width
    return [data[begin : begin + row_length] for begin in range(0, len(data), row_length)]


def count_similar_top_rows(first_rows: Sequence[bytes], second_rows: Sequence[bytes]) -> int:
    """Count the rows at the top that look the same."""
    pairs = enumerate(zip(first_rows, second_rows, strict=False))
    return next(
        (number for number, (a, b) in pairs if not is_similar_row(a, b)), min(len(first_rows), len(second_rows))
    )


def is_similar_row(one: bytes, other: bytes) -> bool:
    """Return whether two rows look the same."""
    pairs = zip(one, other, strict=False)
    return one == other or (len(one) == len(other) and all(abs(a - b) <= MAX_NOISE for a, b in pairs))


def build_comparison(before: Image.Image, after: Image.Image, changed: ChangedArea) -> Image.Image:
    """Build a picture of the changed rows before, after, and after with the area marked.

    At most `MAX_COMPARISON_HEIGHT` pixels of it are shown.
    """
    marked = after.copy()
    ImageDraw.Draw(marked, "RGBA").rectangle(changed.box, fill=(255, 0, 255, 40), outline=(255, 0, 255, 255), width=2)
    top = max(changed.rows[0][0] - MARGIN_PIXELS, 0)
    bottom = min(max(end for _, end in changed.rows) + MARGIN_PIXELS, top + MAX_COMPARISON_HEIGHT)
    comparison = Image.new("RGB", (3 * max(before.width, after.width) + 2 * MARGIN_PIXELS, bottom - top), "grey")
    for index, picture in enumerate((before, after, marked)):
        part = picture.crop((0, top, picture.width, min(bottom, picture.height)))
        comparison.paste(part, (index * (max(before.width, after.width) + MARGIN_PIXELS), 0))
    return comparison


def compare_picture_folders(before: Path, after: Path, output_folder: Path) -> dict[str, str]:
    """Compare the pictures of two folders, and describe those that differ.

    Comparisons are written to `output_folder`.
    """
    create_empty_folder(output_folder)
    descriptions: dict[str, tuple[float, str]] = {}
    for name in sorted({each.name for each in (*before.iterdir(), *after.iterdir())}):
        files = (before / name, after / name)
        if not all(file.exists() for file in files):
            descriptions[name] = (1, "is new" if files[1].exists() else "is gone")
        elif files[0].read_bytes() != files[1].read_bytes():
            old, new = (Image.open(file).convert("RGB") for file in files)
            changed = find_changed_area(old, new)
            if changed:
                build_comparison(old, new, changed).save(output_folder / name)
                descriptions[name] = (
                    changed.share,
                    f"{changed.share:.2%} in {changed.box}, {new.height - old.height:+} high",
                )
    return {name: text for name, (_, text) in sorted(descriptions.items(), key=lambda item: -item[1][0])}


def main() -> None:
    """Run `python -m build_scripts.dev.screenshots [--only home,fight-*] [--widths 390] [--schemes light]`."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--only", action="append", default=[], help=list_shots.__doc__)
    parser.add_argument("--widths", default=",".join(map(str, WIDTHS)))
    parser.add_argument("--schemes", default=",".join(SCHEMES))
    parser.add_argument("--screen", action="store_true", help="take the visible part of the page, not the whole page")
    parser.add_argument("--scale", type=int, default=1, help="pixels of the picture for each CSS pixel")
    parser.add_argument("--site", type=Path, default=SITE, help="the built site")
    parser.add_argument("--list", action="store_true", help="list the names, and take no screenshots")
    arguments = parser.parse_args()
    if not (arguments.site / "index.html").exists():
        raise SystemExit(f"expected a built site in {arguments.site}, got none; run `make build` first")
    shots = list_shots(arguments.site, arguments.only)
    if arguments.list:
        print(*(shot.name for shot in shots))
        return
    widths = tuple(map(int, arguments.widths.split(",")))
    with tempfile.TemporaryDirectory() as folder:
        style = write_joined_stylesheet(Path(folder))
        settings = PictureSettings(
            widths, tuple(arguments.schemes.split(",")), style, arguments.screen, arguments.scale
        )
        for file in take_shots(arguments.site.resolve(), shots, render_answers_in_tree(shots), FOLDER, settings):
            print(file.relative_to(ROOT), flush=True)


if __name__ == "__main__":
    main()
