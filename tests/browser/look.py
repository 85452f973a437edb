"""Check the look of rendered pages: `python -m tests.browser.look sizes --only dice-*`.

Each check is a function of look.js, which lists offences as `place: value`. Pages and states are those of the
pictures (`build_scripts/dev/screenshots.py`): no Python runs in the browser.
"""

import argparse
import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import Browser, Page

from build_scripts.browsers import launch_chromium
from build_scripts.dev.screenshots import (
    Answers,
    Camera,
    Shot,
    list_shots,
    render_answers_in_tree,
    write_joined_stylesheet,
)
from build_scripts.dev.serve import serve_site
from build_scripts.paths import SITE


@dataclass(frozen=True, slots=True)
class Screen:
    """A window and the settings of its user."""

    width: int
    """The window's width in px."""
    height: int = 0
    """The window's height in px, or 0 for the usual height."""
    profile: Mapping[str, Any] = field(default_factory=dict)
    """Further options of the profile."""
    setup: str = ""
    """The function of look.js that is called before the checks, or "" for none."""
    colours: Literal["active", "none"] = "none"
    """Whether forced colours are active."""


SCREENS = {
    "phone": Screen(390, profile={"has_touch": True, "is_mobile": True}),
    "phone on its side": Screen(664, 390, {"has_touch": True, "is_mobile": True}),
    "desk": Screen(1280),
    "wide": Screen(1920),
    "narrow": Screen(320),
    "phone, text 200 %": Screen(390, setup="larger"),
    "desk, text 200 %": Screen(1280, setup="larger"),
    "forced colours": Screen(1280, setup="ground", colours="active"),
}


@dataclass(frozen=True, slots=True)
class Check:
    """How a function of look.js is used."""

    screens: tuple[str, ...]
    """The names of the screens that are checked."""
    looks_into_folds: bool = True
    """Whether folds are opened first."""
    is_of_all: bool = False
    """Whether only lines that differ from the most common one are offences."""


WIDTHS = ("narrow", "phone", "phone on its side", "desk", "wide")
"""320, 390, 664, 1280 and 1920 pixels wide."""
LARGE_TEXT = ("phone, text 200 %", "desk, text 200 %")
"""The screens of users who set their text to twice the usual size."""
CHECKS = {
    "edge": Check(("phone", "desk", "wide"), looks_into_folds=False, is_of_all=True),
    "sizes": Check(("phone", "desk")),
    "spaces": Check(("phone", "desk")),
    "accent": Check(("desk",)),
    "primary": Check(("phone", "desk"), looks_into_folds=False),
    "pressed": Check(("phone",)),
    "broken": Check(("phone", "narrow", *LARGE_TEXT)),
    "sideways": Check(("narrow", *LARGE_TEXT), looks_into_folds=False),
    "covered": Check(WIDTHS),
    "overlapping": Check((*WIDTHS, *LARGE_TEXT)),
    "cut": Check((*WIDTHS, *LARGE_TEXT)),
    "fields": Check(("phone", "desk", "wide")),
    "figures": Check(("phone", "desk")),
    "baseline": Check(("phone", "desk")),
    "cards": Check(("phone", "desk", "wide")),
    "buttons": Check(("phone", "desk")),
    "typed": Check(("phone", "desk")),
    "bars": Check(LARGE_TEXT, looks_into_folds=False),
    "forced": Check(("forced colours",), looks_into_folds=False),
    "styled": Check(("desk",)),
}
LAYOUT = ("covered", "overlapping", "cut")
"""The checks of positions, which take seconds a page."""
READABLE = (*LAYOUT, "broken", "sideways")
"""The checks of any page and any state: it can be pressed and read."""
LOOK = Path(__file__).with_name("look.js").read_text(encoding="utf-8").rstrip("\n;")


def build_camera(browser: Browser, url: str, screen: str, style: Path | None = None) -> Camera:
    """Return the camera of a screen."""
    seen = SCREENS[screen]
    size = {"viewport": {"width": seen.width, "height": seen.height}} if seen.height else {}
    return Camera(browser, url, seen.width, style, **size, **seen.profile)


@dataclass(frozen=True, slots=True)
class Offence:
    """A finding of a check on a page or a state, on a screen."""

    check: str
    """The name of the check."""
    screen: str
    """The name of the screen."""
    shot: str
    """The name of the page or state."""
    line: str
    """The place and the value, as the check returns them."""


def find_offences(
    camera: Camera, screen: str, names: Iterable[str], shots: Iterable[Shot], answers: Answers
) -> list[Offence]:
    """Run the named checks for a screen on the shots."""
    checks = {name: CHECKS[name] for name in names if screen in CHECKS[name].screens}
    found = []
    for shot in shots:
        page = camera.load_shot_page(shot, answers)
        page.emulate_media(forced_colors="none")
        if SCREENS[screen].setup:
            run(page, SCREENS[screen].setup)
        page.emulate_media(forced_colors=SCREENS[screen].colours)
        for name in sorted(checks, key=lambda name: checks[name].looks_into_folds):
            if checks[name].looks_into_folds:
                run(page, "unfold")
            found += [Offence(name, screen, shot.name, line) for line in run(page, name)]
    usual = {name: find_commonest(each.line for each in found if each.check == name) for name in checks}
    return [each for each in found if not (checks[each.check].is_of_all and each.line == usual[each.check])]


def list_lines(found: Iterable[Offence]) -> list[str]:
    """List the findings, each once."""
    return sorted({f"{each.check}: {each.shot}: {each.line}" for each in found})


def run(page: Page, name: str) -> list[str]:
    """Call a function of look.js on a page."""
    said: list[str] | None = page.evaluate(f"() => {LOOK}.{name}()")
    return said or []


def find_commonest(lines: Iterable[str]) -> str:
    """Return the most common line, or "" if there is none."""
    return next((line for line, _ in Counter(lines).most_common(1)), "")


def main() -> None:
    """`python -m tests.browser.look [CHECK …] [--only dice-*]`: offences with their places, the most common first."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("checks", nargs="*", metavar="CHECK", help=f"any of {', '.join(CHECKS)}")
    parser.add_argument("--only", action="append", default=[], help=list_shots.__doc__)
    parser.add_argument("--site", type=Path, default=SITE, help="the built site")
    arguments = parser.parse_args()
    names = arguments.checks or list(CHECKS)
    shots = list_shots(arguments.site, arguments.only)
    answers = render_answers_in_tree(shots)
    places: dict[tuple[str, str], list[str]] = {}
    with tempfile.TemporaryDirectory() as room, serve_site(arguments.site) as url, launch_chromium() as browser:
        for screen in {screen: 0 for name in names for screen in CHECKS[name].screens}:
            style = write_joined_stylesheet(Path(room) / screen)
            camera = build_camera(browser, url, screen, style)
            for each in find_offences(camera, screen, names, shots, answers):
                places.setdefault((f"{each.check}, {screen}", each.line), []).append(each.shot)
    for (check, line), where in sorted(places.items(), key=lambda item: (item[0][0], -len(item[1]))):
        print(f"{check}: {line}  [{len(where)} × {', '.join(dict.fromkeys(where))[:60]}]")
    print(f"{len(places)} offend")


if __name__ == "__main__":
    main()
