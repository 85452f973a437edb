"""The fence that draws a rule: a picture shows what the engine computes, in shapes and in words."""

import re
from pathlib import Path

import pytest
from bs4 import BeautifulSoup, Tag

from build_scripts.fences.picture import PICTURES, render_picture
from build_scripts.fences.registry import check_fences
from build_scripts.pictures import TEMPLATES, attack, defences, duration, hit_points, initiative, stat_block
from scratch_core.characters import Character, find_health
from scratch_core.figures import Figure, Part
from scratch_core.rulebook.abilities import DEFENCE_AGAINST, list_defence_abilities


def render_figure(name: str, body: str = "") -> Tag:
    """Render a picture and parse it."""
    soup = BeautifulSoup(render_picture(name, body, "u"), "html.parser")
    assert isinstance(soup.figure, Tag)
    return soup.figure


def list_drawn_texts(figure: Tag) -> list[str]:
    """Return the texts that are drawn, in order."""
    return [text.get_text() for text in figure.select("svg text")]


@pytest.mark.parametrize("name", PICTURES)
def test_picture_has_a_title_and_a_description(name: str) -> None:
    """The description contains each number that is drawn."""
    figure = render_figure(name)
    svg = figure.svg
    assert isinstance(svg, Tag)
    assert svg["role"] == "img"
    assert [svg["aria-labelledby"], svg["aria-describedby"]] == [each["id"] for each in svg.select("title, desc")]
    title, words = (each.get_text() for each in svg.select("title, desc"))
    assert len(title.split()) > 3
    assert len(words.split()) > 20
    named = set(re.findall(r"\d+", words))
    if name != "hit-points":  # the description has only the ends of its countdown
        assert {number for text in list_drawn_texts(figure) for number in re.findall(r"\d+", text)} - named <= {
            "1",
            "2",
        }


@pytest.mark.parametrize("name", PICTURES)
def test_picture_template_has_no_colour(name: str) -> None:
    """Colours come from the stylesheet, for light, dark, print and forced colours."""
    source = (TEMPLATES / f"{name}.svg").read_text(encoding="utf-8")
    assert not re.search(r"#[0-9a-fA-F]{3,8}\b|style=|rgb|stroke=|fill=\"(?!url)", source)


def test_every_picture_has_a_template_and_every_template_is_used() -> None:
    """A template without a picture is named by another drawing."""
    others = {path.stem for path in TEMPLATES.glob("[!_]*.svg")} - set(PICTURES)
    sources = [path.read_text(encoding="utf-8") for path in TEMPLATES.parent.parent.rglob("*.py")]
    assert all((TEMPLATES / f"{name}.svg").is_file() for name in PICTURES)
    assert [name for name in others if not any(f'"{name}.svg"' in source for source in sources)] == []


@pytest.mark.parametrize("toughness", range(1, 13))
def test_hit_point_track_has_the_health_of_the_engine(toughness: int) -> None:
    """Each box of the hit point track has the health of the rules.

    A line shows where injured begins.
    """
    view = hit_points.build_picture({"toughness": str(toughness)})
    assert [(cell.hp, cell.health) for cell in view.cells] == [
        (hp, find_health(hp, toughness)) for hp in range(toughness, -1, -1)
    ]
    injured = [cell.x for cell in view.cells if cell.health == "injured"]
    assert view.line == (injured[0] if injured else None)
    assert view.stamina == toughness // 2


def test_hit_point_track_takes_stamina_from_the_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """A changed stamina appears in the drawing."""
    monkeypatch.setattr(Character, "stamina", lambda _: Figure("stamina", (Part("a third", 5, "hp.stamina"),)))
    figure = render_figure("hit-points")
    assert {"stamina 5", "a third"} <= set(list_drawn_texts(figure))


def test_defences_picture_has_the_abilities_of_the_engine() -> None:
    """Each defence has its abilities, its base and its type of attack."""
    fed = defences.build_picture({}).boxes
    assert [(each.attack, each.name) for each in fed] == list(DEFENCE_AGAINST.items())
    for each in fed:
        feeders = tuple(feeder.name for feeder in each.abilities if not feeder.is_fallback)
        assert feeders == list_defence_abilities(each.name)  # type: ignore[arg-type]  # one of the words that it takes
    assert [each.formulas for each in fed] == [
        ("10 + the highest",),
        ("10 + the highest",),
        ("10 + the higher", "or 7 + toughness"),
    ]
    words = defences.build_picture({}).description
    assert "Shooting, blasting, knockout and fighting don't count for any defence." in words


def test_attack_picture_shows_the_lowest_hit_and_a_natural_20() -> None:
    """Against agility 13 with fighting 2, 11 is the lowest hit.

    A natural 20 does 1 more damage.
    """
    view = attack.build_picture({})
    assert (view.against, view.bonus) == ("agility 13", "2 fighting")
    assert [(blow.face, blow.damage, blow.hp_after) for blow in (view.natural_20, view.hit, view.miss)] == [
        (20, 2, 2),
        (11, 1, 3),
        (10, 0, 4),
    ]


def test_initiative_picture_orders_groups_by_total() -> None:
    """The initiative picture orders groups by total: 13 and stealth 3 make 19.

    The game master's three characters act in one turn.
    """
    view = initiative.build_picture({})
    assert [(group.owner, group.total, len(group.chips)) for group in view.groups] == [
        ("Mia", 19, 1),
        ("Game master", 16, 3),
        ("Tom", 9, 1),
    ]


def test_duration_picture_ends_spans_by_the_rules() -> None:
    """A delay ends with the next turn, an evade as it begins (cond.delayed.expiry, act.evade.end)."""
    spans = duration.build_picture({}).spans
    slot, left = 68, 5
    assert [((span.start - left) / slot, (span.end - left) / slot) for span in spans] == [(0.5, 2), (0.5, 3), (0.5, 2)]
    assert [[turn.actor_name for turn in span.turns if turn.is_lost] for span in spans] == [["you"], ["you"], []]


def test_stat_block_picture_has_the_figures_and_sums_of_the_engine() -> None:
    """The lines are those of `format_stat_block`."""
    rows = stat_block.build_picture(stat_block.FIELDS).rows
    assert [(row.text.strip(), row.note) for row in rows if row.kind == "figure"] == [
        ("(11 agility,", "10 + 1 acrobatics"),
        ("11 intelligence,", "10 + 1 healing"),
        ("11 strength,", "7 + 4 toughness"),
        ("2 stamina):", "half of toughness 4"),
    ]
    assert rows[-1].note == "4 hit points"


@pytest.mark.parametrize(
    ("name", "body", "message"),
    [
        ("dragon", "", "expected one of attack, .*'dragon'"),
        ("attack", "colour=red", "expected one of caption, got 'colour'"),
        ("hit-points", "toughness=0", "toughness from 1 to 12"),
        ("hit-points", "toughness=many", "toughness from 1 to 12"),
        ("stat-block", "sheet=Nobody", "lines like"),
        ("stat-block", "sheet=A\n2 toughness\n\nB\n2 toughness", "one character"),
        ("attack", "caption=See [[hp.never]]", "hp.never"),
    ],
)
def test_picture_with_a_wrong_name_field_or_rule_raises(name: str, body: str, message: str) -> None:
    """The message says what was expected."""
    with pytest.raises(ValueError, match=message):
        render_picture(name, body, "u")


def test_picture_caption_links_its_rules() -> None:
    """The caption is below the picture."""
    caption = render_figure("hit-points", "toughness=4\ncaption=Half is [[hp.stamina|stamina]].").figcaption
    assert str(caption) == ('<figcaption>Half is <a class="rule-link" href="rule:hp.stamina">stamina</a>.</figcaption>')


def test_wrong_picture_is_reported_with_page_and_line(tmp_path: Path) -> None:
    """Check the fences of a page before the build."""
    (tmp_path / "page.md").write_text('# Page\n\n```picture name="attack"\ncolour=red\n```\n', encoding="utf-8")
    assert check_fences(tmp_path) == [
        "docs/page.md:3: picture 'attack' failed: expected one of caption, got 'colour' in the picture attack"
    ]
