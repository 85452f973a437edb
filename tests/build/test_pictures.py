"""The fence that draws a rule: what a picture says is what the engine says, in strokes and in words."""

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


def drawn(name: str, body: str = "") -> Tag:
    """A picture as a tree."""
    soup = BeautifulSoup(render_picture(name, body, "u"), "html.parser")
    assert isinstance(soup.figure, Tag)
    return soup.figure


def letters(figure: Tag) -> list[str]:
    """The words that are drawn, in order."""
    return [text.get_text() for text in figure.select("svg text")]


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_has_a_title_and_words(name: str) -> None:
    """Whoever doesn't see a picture hears its title and what it shows; no number is drawn that is not told."""
    figure = drawn(name)
    svg = figure.svg
    assert isinstance(svg, Tag)
    assert svg["role"] == "img"
    assert [svg["aria-labelledby"], svg["aria-describedby"]] == [each["id"] for each in svg.select("title, desc")]
    title, words = (each.get_text() for each in svg.select("title, desc"))
    assert len(title.split()) > 3
    assert len(words.split()) > 20
    told = set(re.findall(r"\d+", words))
    if name != "hit-points":  # its boxes count down, and the words give their ends
        assert {number for text in letters(figure) for number in re.findall(r"\d+", text)} - told <= {"1", "2"}


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_names_no_colour(name: str) -> None:
    """Colours come from the stylesheet, where light, dark, paper and forced colours are decided."""
    source = (TEMPLATES / f"{name}.svg").read_text(encoding="utf-8")
    assert not re.search(r"#[0-9a-fA-F]{3,8}\b|style=|rgb|stroke=|fill=\"(?!url)", source)


def test_every_template_is_a_picture() -> None:
    """Each picture has a template, and a template that is no picture's is named by some other drawing."""
    others = {path.stem for path in TEMPLATES.glob("[!_]*.svg")} - set(PICTURES)
    sources = [path.read_text(encoding="utf-8") for path in TEMPLATES.parent.parent.rglob("*.py")]
    assert all((TEMPLATES / f"{name}.svg").is_file() for name in PICTURES)
    assert [name for name in others if not any(f'"{name}.svg"' in source for source in sources)] == []


@pytest.mark.parametrize("toughness", range(1, 13))
def test_the_track_is_the_engines(toughness: int) -> None:
    """Each box is healthy, injured or incapacitated as the rules say, and the line stands where injured begins."""
    view = hit_points.build_picture({"toughness": str(toughness)})
    assert [(cell.hp, cell.health) for cell in view.cells] == [
        (hp, find_health(hp, toughness)) for hp in range(toughness, -1, -1)
    ]
    injured = [cell.x for cell in view.cells if cell.health == "injured"]
    assert view.line == (injured[0] if injured else None)
    assert view.stamina == toughness // 2


def test_a_changed_rule_changes_the_track(monkeypatch: pytest.MonkeyPatch) -> None:
    """The track asks the engine for stamina, and takes what it says."""
    monkeypatch.setattr(Character, "stamina", lambda _: Figure("stamina", (Part("a third", 5, "hp.stamina"),)))
    figure = drawn("hit-points")
    assert {"stamina 5", "a third"} <= set(letters(figure))


def test_the_defences_are_fed_as_in_the_engine() -> None:
    """Each defence has its abilities, its base and its type of attack; toughness makes up for two."""
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
    assert "Shooting, blasting, knockout and fighting feed no defence." in defences.build_picture({}).description


def test_the_blow_is_played() -> None:
    """Agility 13 against fighting 2: an 11 is the least that hits; a 20 does 1 more (act.basic-attack)."""
    view = attack.build_picture({})
    assert (view.against, view.bonus) == ("agility 13", "2 fighting")
    assert [(blow.face, blow.damage, blow.hp_after) for blow in (view.natural_20, view.hit, view.miss)] == [
        (20, 2, 2),
        (11, 1, 3),
        (10, 0, 4),
    ]


def test_the_groups_are_in_order() -> None:
    """13 and stealth 3 make 19 (E-case of initiative); the game master's three act in one turn."""
    view = initiative.build_picture({})
    assert [(group.owner, group.total, len(group.chips)) for group in view.groups] == [
        ("Mia", 19, 1),
        ("Game master", 16, 3),
        ("Tom", 9, 1),
    ]


def test_the_spans_end_where_the_rules_end_them() -> None:
    """A delay ends with one's next turn, an evade as it begins (cond.delayed.expiry, act.evade.end)."""
    spans = duration.build_picture({}).spans
    slot, left = 68, 5
    assert [((span.start - left) / slot, (span.end - left) / slot) for span in spans] == [(0.5, 2), (0.5, 3), (0.5, 2)]
    assert [[turn.actor_name for turn in span.turns if turn.is_lost] for span in spans] == [["you"], ["you"], []]


def test_the_block_is_written_by_the_engine() -> None:
    """Figures and lines are those of `format_stat_block`, each with its sum."""
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
def test_a_fence_that_is_wrong_stops_the_build(name: str, body: str, message: str) -> None:
    """An unknown picture, field, value or rule is told with what was expected."""
    with pytest.raises(ValueError, match=message):
        render_picture(name, body, "u")


def test_a_caption_links_its_rules() -> None:
    """A caption stands below the picture, its rules as links."""
    caption = drawn("hit-points", "toughness=4\ncaption=Half is [[hp.stamina|stamina]].").figcaption
    assert str(caption) == ('<figcaption>Half is <a class="rule-link" href="rule:hp.stamina">stamina</a>.</figcaption>')


def test_a_wrong_picture_is_named_by_its_page_and_line(tmp_path: Path) -> None:
    """The check before the build says where the fence stands."""
    (tmp_path / "page.md").write_text('# Page\n\n```picture name="attack"\ncolour=red\n```\n', encoding="utf-8")
    assert check_fences(tmp_path) == [
        "docs/page.md:3: picture 'attack' failed: expected one of caption, got 'colour' in the picture attack"
    ]
