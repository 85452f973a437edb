"""The fight calculator on a map: set-up, offers, questions, taps and drags, undo and redo."""

import json
from typing import Any

import pytest
from bs4 import BeautifulSoup

from build_scripts.render import render_calculator_response
from scratch_core.calculators import board
from scratch_core.calculators.characters_text.setup_text import parse_typed_space
from scratch_core.calculators.fight import CONTROLS, MAX_QUERY_LENGTH, View, view
from scratch_core.calculators.shared.query import format_query, parse_query
from scratch_core.dice import SeededRoller, SystemRoller, choose
from scratch_core.encounter.engine import legal_actions
from scratch_core.scenario import SAMPLE_SCENARIOS, parse_scenario, play
from tests.support.fights import check_undo_and_redo, list_action_choices, view_fight, view_next
from tests.support.fights_on_board import MAP, SHEETS, view_begun_board_fight
from tests.support.known import require


def acted(seen: View, faces: str = "", **step: Any) -> View:
    """The next view after a step, which must have been accepted."""
    after = view_next(seen, act=json.dumps(step), faces=faces)
    assert not after.problems, after.problems
    return after


def steps(seen: View) -> set[str]:
    """Return the steps of the offered actions, as JSON in one form."""
    return {json.dumps(json.loads(offer.step), sort_keys=True) for offer in list_action_choices(seen)}


def map_spaces(seen: View) -> dict[str, tuple[int, int] | None]:
    """Return each character's space by id."""
    return {each.id: each.at for each in require(seen.fight_view).state.fighters}


def list_steps(seen: View) -> list[dict[str, Any]]:
    """Return the steps of the fight as the file has them."""
    return json.loads(seen.fields["log"])["steps"]


def wrong(seen: View) -> set[str]:
    """The controls that have a problem."""
    return {problem.where for problem in seen.problems}


# Setting up


def test_dragged_token_in_setup_updates_tokens() -> None:
    """Dragging a token in the set-up updates `tokens`.

    A token fixed by a line of its stat block stays, with a problem.
    """
    seen = view_fight(sheets=SHEETS, map=MAP, stroke="pick: 0,2 1,4")
    assert seen.fields["tokens"].split()[1] == "lou@1,4,hunters"
    assert seen.updated_fields == {"tokens"}
    assert "lou%401,4" in seen.query
    refused = view_fight(sheets=SHEETS, map=MAP, stroke="pick: 5,0 4,0")
    assert wrong(refused) == {"stroke"}
    assert refused.fighters[0].at == (5, 0)


@pytest.mark.parametrize(
    ("fields", "control"),
    [
        pytest.param({"map": "..x"}, "map", id="letter"),
        pytest.param({"map": "...\n.."}, "map", id="uneven"),
        pytest.param({"map": ".#"}, "map", id="too-small"),
        pytest.param({"sheets": SHEETS.replace("5,0", "2,1")}, "sheets", id="in-a-wall"),
        pytest.param({"sheets": SHEETS.replace("5,0", "6,0")}, "sheets", id="shared"),
        pytest.param({"sheets": SHEETS.replace("5,0", "50,0")}, "sheets", id="off-the-board"),
        pytest.param({"sheets": SHEETS.replace("5,0", "here")}, "sheets", id="no-space"),
        pytest.param({"shape": "round"}, "shape", id="shape"),
        pytest.param({"cover": "1,1 99,9"}, "cover", id="cover"),
        pytest.param({"interrupt_move": "never"}, "interrupt_move", id="ruling"),
    ],
)
def test_invalid_map_input_is_reported_at_its_control(fields: dict[str, str], control: str) -> None:
    """An invalid map, space or ruling is reported at its control.

    No fight begins.
    """
    seen = view_fight(SystemRoller(), **{"sheets": SHEETS, "map": MAP, "log": "begin", **fields})
    assert seen.phase == "setup"
    assert control in wrong(seen)


def test_token_without_a_character_is_advice_and_the_fight_begins() -> None:
    """A token without a character is advice, and the fight can begin."""
    seen = view_fight(sheets=SHEETS, map=MAP, tokens="ghost@1,1,x lou@0,0,hunters")
    assert {problem.severity for problem in seen.problems} == {"advice"}
    assert view_begun_board_fight(tokens="ghost@1,1,x").phase == "fight"


def test_spaces_without_a_map_are_ignored() -> None:
    """Stat blocks with spaces but without a map are a fight without a map.

    Rule `grid.scope`.
    """
    seen = view_fight(SeededRoller(1), sheets=SHEETS, log="begin")
    assert seen.phase == "fight"
    assert "board" not in json.loads(seen.fields["log"])


def test_map_is_preserved_between_map_page_and_fight() -> None:
    """A painted map and its tokens are preserved in a set-up and back."""
    painted = board.view(
        parse_query("map=....E/..%23../.....&tokens=kim@0,0,blue rook@4,2,red&shape=hex&cover=1,2"), None
    )
    seen = view(parse_query(require(painted.answer).fight_query, MAX_QUERY_LENGTH), None)
    assert not [problem for problem in seen.problems if problem.severity == "error"]
    assert require(seen.board).board_data == {"shape": "hex", "rows": ["....E", "..#..", "....."], "cover": [[1, 2]]}
    assert [each.space for each in require(seen.board).waiting_tokens] == [(0, 0), (4, 2)]
    back = board.view(parse_query(require(seen.board).board_query), None)
    assert not back.problems
    assert back.fields["tokens"] == painted.fields["tokens"]


PAINTED = {
    "map": "...../..^../..~wE",
    "shape": "hex",
    "tokens": "kim@0,0,blue bo@4,1,red",
    "selected": "kim",
    "cover": "1,0",
    "throwable": "3,0",
    "cramped": "2,0 2,1",
    "quickness": "2",
    "flying": "1",
    "acrobatics": "3",
    "swimming": "4",
    "injured": "true",
    "interrupt_move": "leave",
}


def test_fight_uses_everything_set_on_the_map() -> None:
    """Map, marks, tokens and the ruling about moves are used in the fight.

    The abilities and the injury are those of the stat blocks.
    """
    sheets = "Kim\nside: blue\nhp: 1\n2 quickness\n2 toughness\n\nBo\nside: red\n1 toughness"
    painted = board.view(parse_query(format_query({**PAINTED, "sheets": sheets}), MAX_QUERY_LENGTH), None)
    assert not painted.problems
    seen = view(parse_query(f"{require(painted.answer).fight_query}&log=begin", MAX_QUERY_LENGTH), SystemRoller())
    tree = require(seen.fight_view).fight.scenario.tree
    marks = {"cover": [[1, 0]], "throwable": [[3, 0]], "cramped": [[2, 0], [2, 1]]}
    assert tree["board"] == {"shape": "hex", "rows": [".....", "..^..", "..~wE"], **marks}
    kim, bo = tree["characters"]
    assert [(each["id"], each["side"], each["at"]) for each in (kim, bo)] == [
        ("kim", "blue", [0, 0]),
        ("bo", "red", [4, 1]),
    ]
    assert kim["abilities"] == {"quickness": 2, "toughness": 2}
    assert tree["rulings"]["interrupt_move"] == "leave"
    assert [row.status.condition for row in require(seen.fight_view).rows] == ["injured", "healthy"]


def test_painting_map_for_fight_preserves_stat_blocks() -> None:
    """Stat blocks are preserved on the map page, and a new token has none."""
    sheets = "side: blue\n\nGuard\n2 fighting\n\nGuard\n3 fighting"
    seen = view_fight(sheets=sheets, map="......", interrupt_move="arrive")
    tokens = f"{require(seen.board).tokens} foes-1@4,0,foes"
    painted = board.view(parse_query(require(seen.board).board_query, MAX_QUERY_LENGTH), None)
    assert [painted.fields[name] for name in ("sheets", "interrupt_move")] == [sheets, "arrive"]
    edited = board.view(
        parse_query(f"{painted.query}&stroke=put-foes: 4,0".replace(" ", "%20"), MAX_QUERY_LENGTH), None
    )
    assert edited.fields["tokens"] == tokens
    query = parse_query(require(edited.answer).fight_query)
    controls: dict[str, Any] = {name: query.text(name) for name in CONTROLS}
    back = view_fight(**controls)
    assert back.fields["sheets"] == sheets
    assert [each.id for each in back.fighters] == ["guard", "guard-2"]
    assert [each.id for each in require(back.board).waiting_tokens] == ["foes-1"]


def test_new_setup_preserves_the_map() -> None:
    """*New setup* restores map, features and starting spaces as texts."""
    seen = view_next(view_begun_board_fight(cover="9,4", interrupt_move="leave"), act="setup")
    assert seen.fields["map"].split("/") == MAP.split("\n")
    assert seen.fields["cover"] == "9,4"
    assert seen.fields["interrupt_move"] == "leave"
    assert [each.at for each in seen.fighters][:3] == [(5, 0), (0, 2), (6, 0)]


@pytest.mark.parametrize(
    ("text", "space"),
    [("3,4", [3, 4]), ("3 4", [3, 4]), ("12, 0", [12, 0]), ("3", None), ("-1,2", None), ("a,b", None), ("3,4,5", None)],
)
def test_parse_typed_space_accepts_column_and_row(text: str, space: list[int] | None) -> None:
    """Column and row, separated by a comma or a space."""
    assert parse_typed_space(text) == space


# Offers


@pytest.mark.no_cover
def test_every_legal_action_is_offered() -> None:
    """Moves, repositions, interrupts and all other actions offered are the engine's legal ones.

    Blasts have one choice for each set of targets. Two attacks have one target each at a time.

    Rules: `grid.move.once`, `grid.hold.reposition`, `grid.interrupt.what`, `grid.blast.target`.
    """
    dice = SeededRoller(4)
    seen = view_begun_board_fight()
    kinds = set()
    for _ in range(120):
        if require(seen.fight_view).winner:
            break
        legal_now = legal_actions(require(seen.fight_view).state)
        listed = [each for each in legal_now if each.do != "double-attack" or len(each.targets) == 1]
        legal = {json.dumps(action.to_step(), sort_keys=True) for action in listed}
        offered = steps(seen)
        kinds |= {json.loads(step)["do"] for step in legal}
        assert offered <= legal
        assert {step for step in legal if json.loads(step)["do"] != "blast"} <= offered
        seen = view_next(seen, dice, act=choose(dice, sorted(offered)))
        assert not seen.problems
    assert {"move", "interrupt", "settle", "reposition", "blast", "hold"} <= kinds


def test_move_shows_its_cost_and_who_may_interrupt() -> None:
    """A move shows its cost and who may interrupt it.

    Rule `grid.interrupt.trigger.move`: Kim is next to Rook. One space exposes Kim to no one, two to Rook.
    """
    found = {offer.space: offer for offer in list_action_choices(view_begun_board_fight()) if offer.do == "move"}
    assert found["4,1"].interrupter_names == ""
    assert found["4,2"].interrupter_names == "Rook"
    assert json.loads(found["4,2"].step)["path"] == [[4, 1], [4, 2]]
    seen = view_begun_board_fight()
    spaces = {one.coordinates: one for row in require(require(seen.fight_view).board).drawing.rows for one in row}
    assert (spaces["4,2"].cost, spaces["4,2"].interrupter_ids) == (2, "rook")
    assert spaces["4,2"].label == "4,2 ground, costs 2, Rook may interrupt"
    assert spaces["6,0"].label.startswith("6,0 ground, Rook of guards")


# Tapping


def test_first_press_on_space_selects_and_second_moves() -> None:
    """The first press shows the path and the actions, and the second moves.

    A press on another space selects that instead.
    """
    selected = view_next(view_begun_board_fight(), stroke="pick: 4,1")
    assert selected.fight_view is not None
    assert [offer.do for _, offer in require(require(selected.fight_view.board).selected_space).choices] == ["move"]
    assert list_steps(selected) == []
    other = view_next(selected, stroke="pick: 4,0")
    assert list_steps(other) == []
    gone = view_next(selected, stroke="pick: 4,1")
    assert map_spaces(gone)["kim"] == (4, 1)
    assert gone.fields["aim"] == ""


def test_dragging_actor_moves_and_dragging_held_target_repositions() -> None:
    """Dragging the actor moves it, and dragging its held target repositions that.

    Other drags only select.
    """
    seen = view_next(view_begun_board_fight(), stroke="pick: 5,0 5,1")
    assert list_steps(seen) == [{"actor": "kim", "do": "move", "path": [[5, 1]]}]
    seen = acted(seen, "19", actor="kim", do="hold", target="rook")
    seen = view_next(seen, stroke="pick: 6,0 7,0")
    assert list_steps(seen)[-1] == {"actor": "kim", "do": "reposition", "target": "rook", "to": [7, 0]}
    assert map_spaces(seen)["rook"] == (7, 0)
    still = view_next(view_begun_board_fight(), stroke="pick: 6,0 7,0")
    assert list_steps(still) == []


def test_unreachable_space_names_reason_and_rule() -> None:
    """A wall, an enemy's space and a far space each have their reason and rule."""
    seen = view_begun_board_fight()
    reasons = {}
    for space in ("2,1", "6,0", "0,4"):
        field = require(view_next(seen, stroke=f"pick: {space}").fight_view.board)
        reasons[space] = require(require(field.selected_space).move_problem).rule
    assert reasons == {"2,1": "grid.move.blocked", "6,0": "grid.move.blocked", "0,4": "grid.move.base"}


def test_selected_space_names_its_surroundings_as_elsewhere() -> None:
    """A space says what is in reach there in the words of the set-up's buttons."""
    seen = view_next(view_begun_board_fight(throwable="1,2", cover="1,2"), stroke="pick: 1,2")
    space = require(require(require(seen.fight_view).board).selected_space)
    assert space.description == "ground, cover nearby, things to throw"


def test_selected_space_lists_actions_on_its_occupant() -> None:
    """The selected space lists the actions on its occupant.

    Kim has no blasting, so a blast is missing.
    """
    seen = view_next(view_begun_board_fight(), stroke="pick: 6,0")
    assert seen.fight_view is not None
    done = [offer.do for _, offer in require(require(seen.fight_view.board).selected_space).choices]
    assert {"basic-attack", "hold", "shoot"} <= set(done)
    assert "blast" not in done


BLASTER = """side: hunters

Zoe
2 blasting
3 toughness
at: 0,0

Pell
1 toughness
at: 8,3

side: guards

Isolde
2 toughness
at: 7,0

Brannoch
2 toughness
at: 9,4

Una
2 toughness
at: 8,1
"""
BLASTER_FACES = "zoe 20, pell 9, isolde 8, brannoch 7, una 5"


def blaster(*pressed: str) -> View:
    """Return Zoe's turn after these characters were selected as targets.

    Every space next to Brannoch is next to Pell.
    """
    fields = {"sheets": BLASTER, "map": "\n".join([".........."] * 5), "initiative": BLASTER_FACES}
    return view_next(view_begun_board_fight(**fields), aimed="; ".join(pressed))


@pytest.mark.parametrize(
    ("pressed", "targets", "words"),
    [
        ((), {"isolde", "una"}, ""),
        (("una",), {"isolde", "una"}, ""),
        (("pell",), {"isolde", "una"}, ""),
        (("brannoch",), {"brannoch", "pell"}, ""),
        (
            ("isolde", "una", "brannoch"),
            {"brannoch", "pell"},
            "A blast can't catch Isolde and Una together with Brannoch.",
        ),
        (("brannoch", "isolde"), {"isolde", "una"}, "A blast can't catch Brannoch together with Isolde."),
    ],
    ids=["no-one-chosen", "one-of-two", "a-friend", "next-to-a-friend", "too-far-apart", "the-other-last"],
)
def test_blast_on_a_map_catches_the_enemy_chosen_last(pressed: tuple[str, ...], targets: set[str], words: str) -> None:
    """A blast on a map catches the enemies that were selected last.

    Rule `grid.blast.area`: a sentence names those that it can't catch.
    """
    seen = blaster(*pressed)
    turn = require(require(seen.fight_view).current_menu)
    row = next(offer for choice, offer in turn.main_rows if choice.do == "blast")
    assert set(row.targets) == targets
    assert turn.uncaught_text == words
    html = render_calculator_response(
        "fight", format_query({"log": seen.fields["log"], "aimed": "; ".join(pressed)})
    ).html
    shown = [each.get_text() for each in BeautifulSoup(html, "html.parser").select("[data-outside-blast]")]
    assert shown == ([words] if words else [])
    after = view_next(seen, SystemRoller(), act=row.untargeted_step, aims=turn.default_targets_by_action_json)
    assert not after.problems
    assert {roll.target for roll in require(after.fight_view).fight.results[-1].rolls} == targets


BEHIND_A_WALL = {
    "sheets": """side: us

Zoe
2 blasting
3 toughness
at: 0,0

side: them

Isolde
2 toughness
at: 2,0

Brannoch
2 toughness
at: 9,4

Una
2 toughness
at: 9,2
""",
    "map": "..........\n......####\n......#...\n......#...\n......#...",
    "initiative": "zoe 20, isolde 8",
}


@pytest.mark.parametrize(
    ("pressed", "words"),
    [
        ("brannoch", "A blast can't catch Brannoch: you can't see any space within 1 space of Brannoch."),
        ("isolde; brannoch", "A blast can't catch Brannoch: you can't see any space within 1 space of Brannoch."),
        (
            "una; brannoch",
            "A blast can't catch Una and Brannoch: you can't see any space within 1 space of any of them.",
        ),
        ("isolde", ""),
    ],
)
def test_blast_says_why_a_chosen_enemy_cannot_be_caught(pressed: str, words: str) -> None:
    """A sentence says why a blast misses a selected enemy who is out of sight.

    Rule `grid.blast.target`: such an enemy can be selected.
    """
    seen = view_next(view_begun_board_fight(**BEHIND_A_WALL), aimed=pressed)
    turn = require(require(seen.fight_view).current_menu)
    assert turn.uncaught_text == words
    row = next(offer for choice, offer in turn.main_rows if choice.do == "blast")
    assert row.targets == ("isolde",)
    page = BeautifulSoup(
        render_calculator_response("fight", format_query({"log": seen.fields["log"], "aimed": pressed})).html,
        "html.parser",
    )
    assert [each.get_text() for each in page.select("[data-outside-blast]")] == ([words] if words else [])
    marks = {str(each["data-add"]): each["aria-pressed"] for each in page.select("button.fight-people__aim")}
    assert marks == {who: "true" if who in pressed else "false" for who in ("isolde", "brannoch", "una")}


def test_blast_says_that_a_chosen_diver_is_under_water() -> None:
    """`swimming.deep-evade`: no blast catches an enemy who evades in deep water, in sight or not."""
    sheets = "side: us\n\nZoe\n2 blasting\n3 toughness\nat: 0,0\n\nside: them\n\nIsolde\n2 toughness\nat: 2,0\n\n"
    sheets += "side: fish\n\nBrannoch\n2 swimming\n2 toughness\nat: 5,0"
    seen = view_begun_board_fight(sheets=sheets, map=".....w....", initiative="brannoch 20, zoe 10, isolde 8")
    for do in ('"evade","with":"swimming"', '"end-turn"'):
        seen = view_next(seen, None, act=f'{{"actor":"brannoch","do":{do}}}')
        assert not seen.problems
    turn = require(require(view_next(seen, aimed="brannoch").fight_view).current_menu)
    assert (turn.actor, turn.uncaught_text) == ("zoe", "A blast can't catch Brannoch under water.")


def test_blast_on_a_map_is_described_by_its_area() -> None:
    """On a map a blast is described as an attack on everyone within 1 space.

    Rule `grid.blast.area`: without a map it attacks up to three enemies.
    """
    turn = require(require(blaster().fight_view).current_menu)
    (effect,) = {choice.effect for choice in turn.action_groups if choice.do == "blast"}
    assert effect.startswith("Everyone within 1 space of the target, a roll for each: 1 damage")


def test_blast_can_target_any_visible_space() -> None:
    """A blast may target an empty space.

    Rule `grid.blast.area`: the choice names the characters in its area and the space.
    """
    seen = view_begun_board_fight(
        sheets=SHEETS.replace("at: 5,0", "at: 0,4"), initiative="lou 20, kim 2, rook 3, bo 1", tokens="lou@5,4,h"
    )
    selected = view_next(seen, stroke="pick: 6,1")
    blast = next(offer for offer in list_action_choices(selected) if offer.do == "blast" and offer.space == "6,1")
    assert json.loads(blast.step)["at"] == [6, 1]
    assert blast.label == "Rook, at 6,1"
    seen = view_next(selected, act=blast.step, faces="15")
    assert not seen.problems
    assert list_steps(seen)[-1]["faces"] == [15]


# Interrupting


def exposed(**fields: Any) -> View:
    """Return the fight while Kim's move to a space next to Rook is pending.

    The space is two away.
    """
    return acted(view_begun_board_fight(**fields), actor="kim", do="move", path=[[4, 1], [4, 2]])


def test_interruptible_action_prompts_for_interrupts_first() -> None:
    """The prompt for interrupts disables all other actions, even a check.

    Rule: `grid.interrupt.what`.
    """
    seen = exposed()
    question = require(require(seen.fight_view).question)
    assert question.text == "Kim starts moving to 4,2"
    assert [(each.id, len(each.choices)) for each in question.first_interrupters] == [("rook", 2)]
    assert (
        question.first_interrupters[0].choices[0].chance_text == "65%"
    )  # 2 fighting + face against agility 10: 8 or more
    assert require(seen.fight_view).turn_menus == ()
    assert seen.summary.endswith("Does anyone interrupt?")
    assert map_spaces(seen)["kim"] == (5, 0)
    refused = view_next(seen, SystemRoller(), act="check", check_actor="bo", check_difficulty="5")
    assert wrong(refused) == {"act"}
    assert list_steps(refused) == list_steps(seen)


def test_interrupter_leaves_cover_with_the_same_press() -> None:
    """An interrupter in cover leaves it and interrupts by one press.

    Undo and redo treat both steps as one press.

    Rules: `act.cover.stay`, `grid.interrupt.unable`, `grid.interrupt.prevent`.
    """
    seen = view_begun_board_fight(cover="6,0", initiative="rook 20, kim 15, lou 12, bo 3")
    for step in ({"actor": "rook", "do": "take-cover"}, {"actor": "rook", "do": "end-turn"}):
        seen = acted(seen, **step)
    evade = next(offer for offer in list_action_choices(seen) if offer.do == "evade")
    assert evade.interrupter_names == "Rook"
    selected = view_next(seen, act=evade.step)
    question = require(selected.fight_view.question)
    interrupters = question.first_interrupters
    assert [(each.id, each.is_in_cover, each.choices[0].chance_text) for each in interrupters] == [
        ("rook", True, "65%")
    ]
    passed = acted(selected, actor="kim", do="settle")
    again = view_fight(log=passed.fields["log"].replace('"A fight"', '"Another"'))
    assert again.fight_view.state == passed.fight_view.state
    assert passed.fight_view.state.fighter("kim").evading
    assert passed.fight_view.state.fighter("rook").in_cover
    struck = view_next(selected, act=question.first_interrupters[0].choices[0].step, faces="8")
    assert [step["do"] for step in list_steps(struck)[-3:]] == ["evade", "leave-cover", "interrupt"]
    assert struck.fight_view.active == "lou"
    back = view_next(struck, act="undo")
    assert list_steps(back) == list_steps(selected)
    assert view_next(back, act="redo").fields["log"] == struck.fields["log"]
    step = question.first_interrupters[0].choices[0].step
    assert view_next(selected, act=step, faces="8, 9").fields["log"] == selected.fields["log"]


def test_faces_of_pending_shot_are_preserved() -> None:
    """Faces typed with a shot are shown while it is pending.

    They are used if no one interrupts.
    """
    near = view_begun_board_fight(sheets=SHEETS.replace("6,0", "6,1"), tokens="bo@9,0,guards")
    seen = acted(near, "14", actor="kim", do="shoot", target="bo")
    assert require(require(seen.fight_view).question).rolled_faces == "14"
    assert list_steps(seen)[-1]["faces"] == [14]
    failed = acted(seen, "1", actor="rook", do="interrupt", target="kim")
    assert require(require(failed.fight_view).question).first_interrupters == ()
    shot = acted(failed, actor="kim", do="settle")
    hp = {each.id: each.hp for each in shot.fight_view.state.fighters}
    assert hp["bo"] == 1  # 14 and 2 shooting against agility 10: a healthy shooter does 2 damage (`act.shooting`)
    again = view_fight(log=shot.fields["log"].replace('"A fight"', '"Another"'))
    assert {each.id: each.hp for each in again.fight_view.state.fighters} == hp
    late = view_next(near, act='{"actor":"kim","do":"shoot","target":"bo"}', faces="14, 3")
    assert wrong(late) == {"faces"}


@pytest.mark.no_cover
def test_undo_and_redo_work_while_an_action_is_pending() -> None:
    """Undo and redo pass through the same states while an action is pending.

    They run from the end of a long fight to its start and back.
    """
    dice, views = SeededRoller(11), [view_begun_board_fight()]
    while len(views) < 40 and not require(views[-1].fight_view).winner:
        views.append(view_next(views[-1], dice, act=choose(dice, sorted(steps(views[-1])))))
    check_undo_and_redo(views)


def test_file_without_settle_steps_can_be_undone_and_redone() -> None:
    """A scenario without answers to its interrupts can be undone and redone.

    Its next step declines them. Undo shows the prompt, and redo answers it.
    """
    seen = view_fight(log=SAMPLE_SCENARIOS["harbour"])
    final = map_spaces(seen)
    assert final == {
        each.id: each.at for each in play(parse_scenario(SAMPLE_SCENARIOS["harbour"])).final_state.fighters
    }
    while list_steps(seen):
        seen = view_next(seen, act="undo")
    for _ in range(40):
        if not seen.undone_count:
            break
        seen = view_next(seen, act="redo")
        assert not seen.problems
    assert map_spaces(seen) == final


def test_escape_over_the_edge_needs_an_evade_and_a_move() -> None:
    """After an evade a move may lead off the map, and an escape follows (`grid.escape.exit`)."""
    seen = view_begun_board_fight(sheets=SHEETS.replace("5,0", "1,0"))
    for step in (
        {"actor": "kim", "do": "evade"},
        {"actor": "rook", "do": "end-turn"},
        {"actor": "lou", "do": "end-turn"},
        {"actor": "bo", "do": "end-turn"},
    ):
        seen = acted(seen, **step)
    edge = next(
        offer for offer in list_action_choices(seen) if offer.do == "move" and offer.label.startswith("off the edge")
    )
    seen = view_next(seen, act=edge.step)
    assert not seen.problems
    assert {offer.do for offer in list_action_choices(seen)} == {"escape", "end-turn"}
    seen = acted(seen, actor="kim", do="escape")
    assert map_spaces(seen)["kim"] is None


# Whatever else is typed
