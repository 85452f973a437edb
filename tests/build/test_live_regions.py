"""Screen readers announce each answer once: the script makes one live region a calculator, and no template does."""

import re

import pytest
from bs4 import BeautifulSoup

from build_scripts.paths import OVERRIDES
from build_scripts.render import render_calculator_response
from tests.fuzz import calculators
from tests.fuzz.other_controls import COMPANY

LIVE_REGIONS = (
    ":is([aria-live]:not([aria-live=off]), [role=status], [role=alert], [role=log], [role=timer], [role=marquee],"
    " output:not([aria-live=off]))"
)


@pytest.mark.parametrize("calculator", calculators())
def test_answer_html_has_no_live_region(calculator: str) -> None:
    """Render each calculator with each of its queries."""
    for query in ("", *(query for name, query in COMPANY.items() if name.partition("-")[0] == calculator)):
        soup = BeautifulSoup(render_calculator_response(calculator, query).html, "html.parser")
        assert soup.select(LIVE_REGIONS) == [], query


def test_scripts_make_one_live_region() -> None:
    """A failure is an alert only while it lasts."""
    scripts = {path.name: path.read_text("utf-8") for path in (OVERRIDES / "javascripts").rglob("*.mjs")}
    made = re.findall(r"role=\\?\"(?:status|alert|log)|aria-live|<output", "".join(scripts.values()))
    assert made == ['role="status']
    alerts = re.findall(r"setAttribute\(\"role\", [^)]*\)", "".join(scripts.values()))
    assert sorted(alerts) == [
        'setAttribute("role", "dialog")',  # the explainer, which takes the focus
        'setAttribute("role", "group")',  # a wide table that keys reach; it says nothing by itself
        'setAttribute("role", "menu")',  # of a saved entry; it takes the focus
        'setAttribute("role", "menuitem")',
        'setAttribute("role", "status")',  # of the campaign, whose page has no calculator
        'setAttribute("role", "status")',  # the page's word of a new version, outside every calculator
        'setAttribute("role", state === "failed" ? "alert" : "presentation")',
    ]
