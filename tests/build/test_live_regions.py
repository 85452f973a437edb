"""Whoever hears a page hears each answer once: one live region a calculator, made by the script, none in a template."""

import re

import pytest
from bs4 import BeautifulSoup

from build_scripts.paths import OVERRIDES
from build_scripts.render import render
from tests.fuzz import calculators
from tests.fuzz.other_controls import COMPANY

LIVE = (
    ":is([aria-live]:not([aria-live=off]), [role=status], [role=alert], [role=log], [role=timer], [role=marquee],"
    " output:not([aria-live=off]))"
)


@pytest.mark.parametrize("calculator", calculators())
def test_no_answer_speaks_by_itself(calculator: str) -> None:
    """Nothing that an answer prints is a live region, empty or filled in."""
    for query in ("", *(query for name, query in COMPANY.items() if name.partition("-")[0] == calculator)):
        soup = BeautifulSoup(render(calculator, query).html, "html.parser")
        assert soup.select(LIVE) == [], query


def test_the_script_makes_one_that_speaks() -> None:
    """Of what the script adds, one paragraph announces; the words of a failure are an alert only while it lasts."""
    scripts = {path.name: path.read_text("utf-8") for path in (OVERRIDES / "javascripts").rglob("*.mjs")}
    made = re.findall(r"role=\\?\"(?:status|alert|log)|aria-live|<output", "".join(scripts.values()))
    assert made == ['role="status']
    alerts = re.findall(r"setAttribute\(\"role\", [^)]*\)", "".join(scripts.values()))
    assert sorted(alerts) == [
        'setAttribute("role", "dialog")',  # the explainer, which takes the focus
        'setAttribute("role", "group")',  # a wide table that keys reach; it says nothing by itself
        'setAttribute("role", "status")',  # the page's word of a new version, outside every calculator
        'setAttribute("role", state === "failed" ? "alert" : "presentation")',
    ]
