"""The fight calculator on a board: set up, offers, questions, taps and drags, steps back and forth."""

import json
from typing import Any

import pytest
from bs4 import BeautifulSoup

from build_scripts.render import render
from scratch_core.calculators.board import view as board_view
from scratch_core.calculators.characters_text.setup_text import read_place
from scratch_core.calculators.fight import CONTROLS, QUERY_LIMIT, View, view
from scratch_core.calculators.shared.query import parse_query, query_string
from scratch_core.dice import SystemRoller
from scratch_core.encounter.engine import legal_actions
from scratch_core.scenario import SAMPLE_SCENARIOS, parse_scenario, play
from tests.support.fights import answered, back_and_forth, fighting, offers
from tests.support.fights_on_board import MAP, SHEETS, begun
from tests.support.known import known
from tests.support.rollers import Seeded


def acted(seen: View, faces: str = "", **step: Any) -> View:
    """The next view after a step, which must have been accepted."""
    after = fighting(seen, act=json.dumps(step), faces=faces)
    assert not after.problems, after.problems
    return after


def steps(seen: View) -> set[str]:
    """What the offers would do, as JSON in one form."""
    return {json.dumps(json.loads(offer.step), sort_keys=True) for offer in offers(seen)}


def where(seen: View) -> dict[str, tuple[int, int] | None]:
    """Everyone's space."""
    return {each.id: each.at for each in known(seen.shown).state.fighters}


def written(seen: View) -> list[dict[str, Any]]:
    """The steps of the fight as the file has them."""
    return json.loads(seen.fields["log"])["steps"]


def wrong(seen: View) -> set[str]:
    """The controls that have a problem."""
    return {problem.where for problem in seen.problems}


# Setting up


def test_a_token_is_dragged_in_the_set_up() -> None:
    """What was dragged stands in `tokens`, freshly set; one that a line fixes stays, and that is told."""
    seen = answered(sheets=SHEETS, map=MAP, stroke="pick: 0,2 1,4")
    assert seen.fields["tokens"].split()[1] == "lou@1,4,hunters"
    assert seen.fresh == {"tokens"}
    assert "lou%401,4" in seen.query
    refused = answered(sheets=SHEETS, map=MAP, stroke="pick: 5,0 4,0")
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
def test_a_wrong_board_is_told_at_its_control(fields: dict[str, str], control: str) -> None:
    """A map, a space or a ruling that can't be read has its problem at its own control, and nothing begins."""
    seen = answered(SystemRoller(), **{"sheets": SHEETS, "map": MAP, "log": "begin", **fields})
    assert seen.phase == "setup"
    assert control in wrong(seen)


def test_tokens_of_strangers_are_told_and_keep_nobody_from_fighting() -> None:
    """A token of no one is advice; the fight begins all the same."""
    seen = answered(sheets=SHEETS, map=MAP, tokens="ghost@1,1,x lou@0,0,hunters")
    assert {problem.severity for problem in seen.problems} == {"advice"}
    assert begun(tokens="ghost@1,1,x").phase == "fight"


def test_without_a_map_a_place_means_nothing() -> None:
    """The same sheets without a map are a fight without a board (`grid.scope`)."""
    seen = answered(Seeded(1), sheets=SHEETS, log="begin")
    assert seen.phase == "fight"
    assert "board" not in json.loads(seen.fields["log"])


def test_the_board_travels_from_the_board_calculator_and_back() -> None:
    """The link of a painted board opens a set-up with the same map and tokens, and the set-up's link goes back."""
    painted = board_view(
        parse_query("map=....E/..%23../.....&tokens=kim@0,0,blue rook@4,2,red&shape=hex&cover=1,2"), None
    )
    seen = view(parse_query(known(painted.answer).fight_query, QUERY_LIMIT), None)
    assert not [problem for problem in seen.problems if problem.severity == "error"]
    assert known(seen.ground).tree == {"shape": "hex", "rows": ["....E", "..#..", "....."], "cover": [[1, 2]]}
    assert [each.at for each in seen.fighters] == [(0, 0), (4, 2)]
    back = board_view(parse_query(known(seen.ground).query), None)
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


def test_everything_set_on_the_board_goes_into_the_fight() -> None:
    """Map, marks, tokens, and what was set for the token picked: its abilities, its injury, the reading of moves."""
    board = board_view(parse_query(query_string(PAINTED), QUERY_LIMIT), None)
    assert not board.problems
    seen = view(parse_query(f"{known(board.answer).fight_query}&log=begin", QUERY_LIMIT), SystemRoller())
    tree = known(seen.shown).fight.scenario.tree
    marks = {"cover": [[1, 0]], "throwable": [[3, 0]], "cramped": [[2, 0], [2, 1]]}
    assert tree["board"] == {"shape": "hex", "rows": [".....", "..^..", "..~wE"], **marks}
    kim, bo = tree["characters"]
    assert [(each["id"], each["side"], each["at"]) for each in (kim, bo)] == [
        ("kim", "blue", [0, 0]),
        ("bo", "red", [4, 1]),
    ]
    assert kim["abilities"].items() >= {"quickness": 2, "flying": 1, "acrobatics": 3, "swimming": 4}.items()
    assert tree["rulings"]["interrupt_move"] == "leave"
    assert [row.standing.condition for row in known(seen.shown).rows] == ["injured", "healthy"]


def test_a_map_is_painted_for_a_fight_without_losing_its_people() -> None:
    """Stat blocks go to the board calculator and come back; whoever was put on the board there has one of its own."""
    sheets = "side: blue\n\nGuard\n2 fighting\n\nGuard\n3 fighting"
    seen = answered(sheets=sheets, map="......", interrupt_move="arrive")
    tokens = f"{known(seen.ground).tokens} foes-1@4,0,foes"
    painted = board_view(parse_query(known(seen.ground).query, QUERY_LIMIT), None)
    assert [painted.fields[name] for name in ("sheets", "interrupt_move")] == [sheets, "arrive"]
    board = board_view(parse_query(f"{painted.query}&stroke=put-foes: 4,0".replace(" ", "%20"), QUERY_LIMIT), None)
    assert board.fields["tokens"] == tokens
    query = parse_query(known(board.answer).fight_query)
    controls: dict[str, Any] = {name: query.text(name) for name in CONTROLS}
    back = answered(**controls)
    assert back.fields["sheets"] == f"{sheets}\n\nFoes 1\nside: foes\n1 toughness"
    assert [each.id for each in back.fighters] == ["guard", "guard-2", "foes-1"]


def test_a_new_set_up_keeps_the_board() -> None:
    """*New set-up* gives map, features and first spaces back as texts."""
    seen = fighting(begun(cover="9,4", interrupt_move="leave"), act="setup")
    assert seen.fields["map"].split("/") == MAP.split("\n")
    assert seen.fields["cover"] == "9,4"
    assert seen.fields["interrupt_move"] == "leave"
    assert [each.at for each in seen.fighters][:3] == [(5, 0), (0, 2), (6, 0)]


@pytest.mark.parametrize(
    ("text", "space"),
    [("3,4", [3, 4]), ("3 4", [3, 4]), ("12, 0", [12, 0]), ("3", None), ("-1,2", None), ("a,b", None), ("3,4,5", None)],
)
def test_a_space_is_read_from_a_line(text: str, space: list[int] | None) -> None:
    """Column and row, separated by a comma or a space."""
    assert read_place(text) == space


# Offers


@pytest.mark.no_cover
def test_every_legal_action_is_offered() -> None:
    """Moves, repositions, interrupts and the rest are the engine's list; blasts are one for each set they catch.

    Two blows have one target each at a time.

    Rules: `grid.move.once`, `grid.hold.reposition`, `grid.interrupt.what`, `grid.blast.target`.
    """
    dice = Seeded(4)
    seen = begun()
    kinds = set()
    for _ in range(120):
        if known(seen.shown).winner:
            break
        legal_now = legal_actions(known(seen.shown).state)
        listed = [each for each in legal_now if each.do != "double-attack" or len(each.targets) == 1]
        legal = {json.dumps(action.to_step(), sort_keys=True) for action in listed}
        offered = steps(seen)
        kinds |= {json.loads(step)["do"] for step in legal}
        assert offered <= legal
        assert {step for step in legal if json.loads(step)["do"] != "blast"} <= offered
        seen = fighting(seen, dice, act=dice.random.choice(sorted(offered)))
        assert not seen.problems
    assert {"move", "interrupt", "settle", "reposition", "blast", "hold"} <= kinds


def test_moves_say_what_they_cost_and_whom_they_expose_to() -> None:
    """Kim stands beside Rook: one space exposes no one, two expose to Rook (`grid.interrupt.trigger.move`)."""
    found = {offer.space: offer for offer in offers(begun()) if offer.do == "move"}
    assert found["4,1"].exposes == ""
    assert found["4,2"].exposes == "Rook"
    assert json.loads(found["4,2"].step)["path"] == [[4, 1], [4, 2]]
    seen = begun()
    spaces = {one.name: one for row in known(known(seen.shown).field).drawing.rows for one in row}
    assert (spaces["4,2"].cost, spaces["4,2"].exposed_to) == (2, "rook")
    assert spaces["4,2"].label == "4,2 ground, costs 2, Rook may interrupt"
    assert spaces["6,0"].label.startswith("6,0 ground, Rook of guards")


# Tapping


def test_a_space_is_asked_about_and_pressed_again_to_go() -> None:
    """The first press shows the way and what can be done there, the second goes; elsewhere it asks anew."""
    asked = fighting(begun(), stroke="pick: 4,1")
    assert asked.shown is not None
    assert [offer.do for _, offer in known(known(asked.shown.field).asked).offers] == ["move"]
    assert written(asked) == []
    other = fighting(asked, stroke="pick: 4,0")
    assert written(other) == []
    gone = fighting(asked, stroke="pick: 4,1")
    assert where(gone)["kim"] == (4, 1)
    assert gone.fields["aim"] == ""


def test_a_dragged_token_moves_and_a_dragged_captive_is_put_aside() -> None:
    """A drag from the one on turn is its move; from the one it holds, a reposition; any other drag only asks."""
    seen = fighting(begun(), stroke="pick: 5,0 5,1")
    assert written(seen) == [{"actor": "kim", "do": "move", "path": [[5, 1]]}]
    seen = acted(seen, "19", actor="kim", do="hold", target="rook")
    seen = fighting(seen, stroke="pick: 6,0 7,0")
    assert written(seen)[-1] == {"actor": "kim", "do": "reposition", "target": "rook", "to": [7, 0]}
    assert where(seen)["rook"] == (7, 0)
    still = fighting(begun(), stroke="pick: 6,0 7,0")
    assert written(still) == []


def test_a_space_out_of_reach_says_why() -> None:
    """A wall, an enemy's space and a far space each have their reason and rule."""
    seen = begun()
    reasons = {}
    for space in ("2,1", "6,0", "0,4"):
        field = known(fighting(seen, stroke=f"pick: {space}").shown.field)
        reasons[space] = known(known(field.asked).why).rule
    assert reasons == {"2,1": "grid.move.blocked", "6,0": "grid.move.blocked", "0,4": "grid.move.base"}


def test_whoever_stands_in_a_space_can_be_acted_on_there() -> None:
    """Asked about Rook's space, the page offers what Kim can do to Rook, and a blast only by someone who blasts."""
    seen = fighting(begun(), stroke="pick: 6,0")
    assert seen.shown is not None
    done = [offer.do for _, offer in known(known(seen.shown.field).asked).offers]
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
    """Zoe's turn after these characters were pressed to be aimed at: every space next to Brannoch is next to Pell."""
    fields = {"sheets": BLASTER, "map": "\n".join([".........."] * 5), "initiative": BLASTER_FACES}
    return fighting(begun(**fields), aimed="; ".join(pressed))


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
            "No blast catches Isolde and Una together with Brannoch.",
        ),
        (("brannoch", "isolde"), {"isolde", "una"}, "No blast catches Brannoch together with Isolde."),
    ],
    ids=["no-one-chosen", "one-of-two", "a-friend", "next-to-a-friend", "too-far-apart", "the-other-last"],
)
def test_blast_on_a_map_catches_the_enemy_chosen_last(pressed: tuple[str, ...], targets: set[str], words: str) -> None:
    """`grid.blast.area`: the row's blast catches the chosen enemies, and a sentence names those that it can't catch."""
    seen = blaster(*pressed)
    turn = known(known(seen.shown).turn)
    row = next(offer for choice, offer in turn.rows if choice.do == "blast")
    assert set(row.targets) == targets
    assert turn.uncaught == words
    html = render("fight", query_string({"log": seen.fields["log"], "aimed": "; ".join(pressed)})).html
    shown = [each.get_text() for each in BeautifulSoup(html, "html.parser").select("[data-uncaught]")]
    assert shown == ([words] if words else [])
    after = fighting(seen, SystemRoller(), act=row.bare, aims=turn.aimed)
    assert not after.problems
    assert {roll.target for roll in known(after.shown).fight.records[-1].rolls} == targets


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
        ("brannoch", "No blast catches Brannoch: you can't see any space within 1 space of Brannoch."),
        ("isolde; brannoch", "No blast catches Brannoch: you can't see any space within 1 space of Brannoch."),
        ("una; brannoch", "No blast catches Una and Brannoch: you can't see any space within 1 space of any of them."),
        ("isolde", ""),
    ],
)
def test_blast_says_why_a_chosen_enemy_cannot_be_caught(pressed: str, words: str) -> None:
    """`grid.blast.target`: an enemy out of sight can be chosen, and a sentence says why the blast misses them."""
    seen = fighting(begun(**BEHIND_A_WALL), aimed=pressed)
    turn = known(known(seen.shown).turn)
    assert turn.uncaught == words
    row = next(offer for choice, offer in turn.rows if choice.do == "blast")
    assert row.targets == ("isolde",)
    page = BeautifulSoup(
        render("fight", query_string({"log": seen.fields["log"], "aimed": pressed})).html, "html.parser"
    )
    assert [each.get_text() for each in page.select("[data-uncaught]")] == ([words] if words else [])
    marks = {str(each["data-add"]): each["aria-pressed"] for each in page.select("button.aim")}
    assert marks == {who: "true" if who in pressed else "false" for who in ("isolde", "brannoch", "una")}


def test_blast_says_that_a_chosen_diver_is_under_water() -> None:
    """`swimming.deep-evade`: no blast catches an enemy who evades in deep water, in sight or not."""
    sheets = "side: us\n\nZoe\n2 blasting\n3 toughness\nat: 0,0\n\nside: them\n\nIsolde\n2 toughness\nat: 2,0\n\n"
    sheets += "side: fish\n\nBrannoch\n2 swimming\n2 toughness\nat: 5,0"
    seen = begun(sheets=sheets, map=".....w....", initiative="brannoch 20, zoe 10, isolde 8")
    for do in ('"evade","with":"swimming"', '"end-turn"'):
        seen = fighting(seen, None, act=f'{{"actor":"brannoch","do":{do}}}')
        assert not seen.problems
    turn = known(known(fighting(seen, aimed="brannoch").shown).turn)
    assert (turn.actor, turn.uncaught) == ("zoe", "No blast catches Brannoch under water.")


def test_blast_on_a_map_is_described_by_its_area() -> None:
    """`grid.blast.area`: on a map it attacks everyone within 1 space; without one it is up to three enemies."""
    turn = known(known(blaster().shown).turn)
    (effect,) = {choice.effect for choice in turn.choices if choice.do == "blast"}
    assert effect.startswith("Everyone within 1 space of the target, a roll for each: 1 damage")


def test_a_blast_is_aimed_at_any_space_in_sight() -> None:
    """Lou may aim where no one is; the offer names whom it catches and says the space (`grid.blast.area`)."""
    seen = begun(
        sheets=SHEETS.replace("at: 5,0", "at: 0,4"), initiative="lou 20, kim 2, rook 3, bo 1", tokens="lou@5,4,h"
    )
    asked = fighting(seen, stroke="pick: 6,1")
    blast = next(offer for offer in offers(asked) if offer.do == "blast" and offer.space == "6,1")
    assert json.loads(blast.step)["at"] == [6, 1]
    assert blast.label == "Rook, at 6,1"
    seen = fighting(asked, act=blast.step, faces="15")
    assert not seen.problems
    assert written(seen)[-1]["faces"] == [15]


# Interrupting


def exposed(**fields: Any) -> View:
    """Kim has set out for a space two away, beside Rook."""
    return acted(begun(**fields), actor="kim", do="move", path=[[4, 1], [4, 2]])


def test_an_act_that_exposes_asks_first() -> None:
    """Who may interrupt is asked before anything else; nothing else is offered, not even a check.

    Rule: `grid.interrupt.what`.
    """
    seen = exposed()
    question = known(known(seen.shown).question)
    assert question.words == "Kim starts moving to 4,2"
    assert [(each.id, len(each.offers)) for each in question.now] == [("rook", 2)]
    assert question.now[0].offers[0].chance == "65%"  # 2 fighting + face against agility 10: 8 or more
    assert known(seen.shown).turns == ()
    assert seen.summary.endswith("Does anyone interrupt?")
    assert where(seen)["kim"] == (5, 0)
    refused = fighting(seen, SystemRoller(), act="check", check_actor="bo", check_difficulty="5")
    assert wrong(refused) == {"act"}
    assert written(refused) == written(seen)


def test_an_interrupter_leaves_cover_by_the_same_press() -> None:
    """Whoever is in cover is asked too; one press leaves it and interrupts, one undo and one redo take both along.

    Rules: `act.cover.stay`, `grid.interrupt.unable`, `grid.interrupt.prevent`.
    """
    seen = begun(cover="6,0", initiative="rook 20, kim 15, lou 12, bo 3")
    for step in ({"actor": "rook", "do": "take-cover"}, {"actor": "rook", "do": "end-turn"}):
        seen = acted(seen, **step)
    evade = next(offer for offer in offers(seen) if offer.do == "evade")
    assert evade.exposes == "Rook"
    asked = fighting(seen, act=evade.step)
    question = known(asked.shown.question)
    assert [(each.id, each.in_cover, each.offers[0].chance) for each in question.now] == [("rook", True, "65%")]
    passed = acted(asked, actor="kim", do="settle")
    again = answered(log=passed.fields["log"].replace('"A fight"', '"Another"'))
    assert again.shown.state == passed.shown.state
    assert passed.shown.state.fighter("kim").evading
    assert passed.shown.state.fighter("rook").in_cover
    struck = fighting(asked, act=question.now[0].offers[0].step, faces="8")
    assert [step["do"] for step in written(struck)[-3:]] == ["evade", "leave-cover", "interrupt"]
    assert struck.shown.active == "lou"
    back = fighting(struck, act="undo")
    assert written(back) == written(asked)
    assert fighting(back, act="redo").fields["log"] == struck.fields["log"]
    assert fighting(asked, act=question.now[0].offers[0].step, faces="8, 9").fields["log"] == asked.fields["log"]


def test_the_faces_of_a_shot_wait_with_it() -> None:
    """Faces typed with a shot stay with it while it waits, are told, and fall when no one interrupts."""
    near = begun(sheets=SHEETS.replace("6,0", "6,1"), tokens="bo@9,0,guards")
    seen = acted(near, "14", actor="kim", do="shoot", target="bo")
    assert known(known(seen.shown).question).faces == "14"
    assert written(seen)[-1]["faces"] == [14]
    failed = acted(seen, "1", actor="rook", do="interrupt", target="kim")
    assert known(known(failed.shown).question).now == ()
    shot = acted(failed, actor="kim", do="settle")
    hp = {each.id: each.hp for each in shot.shown.state.fighters}
    assert hp["bo"] == 1  # 14 and 2 shooting against agility 10: a healthy shooter does 2 damage (`act.shooting`)
    again = answered(log=shot.fields["log"].replace('"A fight"', '"Another"'))
    assert {each.id: each.hp for each in again.shown.state.fighters} == hp
    late = fighting(near, act='{"actor":"kim","do":"shoot","target":"bo"}', faces="14, 3")
    assert wrong(late) == {"faces"}


@pytest.mark.no_cover
def test_steps_are_taken_back_and_brought_back_while_something_waits() -> None:
    """Undo from the end of a long fight to its start and redo to its end pass through the same boards."""
    dice, views = Seeded(11), [begun()]
    while len(views) < 40 and not known(views[-1].shown).winner:
        views.append(fighting(views[-1], dice, act=dice.random.choice(sorted(steps(views[-1])))))
    back_and_forth(views)


def test_a_file_without_settles_is_taken_back_and_brought_back() -> None:
    """A written scenario says that no one interrupts by going on; undo asks, redo answers for it."""
    seen = answered(log=SAMPLE_SCENARIOS["harbour"])
    final = where(seen)
    assert final == {
        each.id: each.at for each in play(parse_scenario(SAMPLE_SCENARIOS["harbour"])).final_state.fighters
    }
    while written(seen):
        seen = fighting(seen, act="undo")
    for _ in range(40):
        if not seen.undone:
            break
        seen = fighting(seen, act="redo")
        assert not seen.problems
    assert where(seen) == final


def test_a_fight_is_left_by_the_edge() -> None:
    """After an evade a move may lead off the board, and an escape follows (`grid.escape.exit`)."""
    seen = begun(sheets=SHEETS.replace("5,0", "1,0"))
    for step in (
        {"actor": "kim", "do": "evade"},
        {"actor": "rook", "do": "end-turn"},
        {"actor": "lou", "do": "end-turn"},
        {"actor": "bo", "do": "end-turn"},
    ):
        seen = acted(seen, **step)
    edge = next(offer for offer in offers(seen) if offer.do == "move" and offer.label.startswith("off the edge"))
    seen = fighting(seen, act=edge.step)
    assert not seen.problems
    assert {offer.do for offer in offers(seen)} == {"escape", "end-turn"}
    seen = acted(seen, actor="kim", do="escape")
    assert where(seen)["kim"] is None


# Whatever else is typed
