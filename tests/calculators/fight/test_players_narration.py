"""The narration that the players read: that of the game master without hidden characters and other sides' numbers."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest

from scratch_core.calculators.fight.player_view import PlayerView, build_player_view
from scratch_core.calculators.fight.roster import FighterRow
from scratch_core.calculators.fight.session import Fight, add_step, begin_fight
from scratch_core.calculators.fight.visibility import PlayerReader, Visibility
from scratch_core.encounter.state import Damaged
from scratch_core.scenario import StepResult
from scratch_core.turn_systems import (
    GAME_MASTER,
    BaseFighter,
    HiddenCharacterError,
    NameList,
    Narration,
    TargetReports,
    conceal,
    narrate,
)
from scratch_core.turn_systems.sentences import DeferredNarration

FIGHTS = int(os.environ.get("NARRATION_FIGHTS", "10"))
"""The number of random fights of each turn system."""

STEPS = 14
ABILITIES = ("fighting", "wrestling", "shooting", "healing", "stealth", "command", "flying", "quickness")
MAP = ("........", "..#.....", "...^....", "....~...", "........")
SPACES = {"ann": (0, 0), "bo": (1, 0), "vex": (1, 1), "zed": (5, 3)}
NAMES = {"ann": "Ann", "bo": "Bo", "vex": "Vex", "zed": "Zed"}
SYSTEMS = ("scratch", "board", "mano", "mano-old", "seize")
WITHOUT_NUMBERS = PlayerReader(NAMES, frozenset())


# Random fights


def build_numbers(system: str, dice: Random) -> dict[str, Any]:
    """Return random numbers of a character."""
    if system == "mano":
        return {"speed": dice.choice((1, 2, 3)), "weapons": dice.randint(1, 2), "stun": dice.randint(0, 3)}
    if system == "mano-old":
        return {"hp": dice.randint(3, 9), "hp_round": dice.randint(1, 6)}
    if system == "seize":
        return {"bonus": dice.randint(0, 9)}
    levels = {name: dice.randint(1, 6) for name in ABILITIES}
    return {"abilities": {"toughness": dice.randint(20, 40), **levels}, "here": ["cover", "throwable"]}


def begin(system: str, shared: Random, secret: Random) -> Fight:
    """Begin a fight of heroes, whose numbers are shared, against foes, whose numbers are secret."""
    characters = []
    for own, name in NAMES.items():
        side = "heroes" if own in ("ann", "bo") else "foes"
        numbers = build_numbers(system, shared if side == "heroes" else secret)
        characters.append({"id": own, "name": name, "side": side, **numbers})
    head: dict[str, Any] = {"characters": characters}
    if system == "board":
        head["board"] = {"rows": list(MAP)}
        for each in characters:
            del each["here"]
            each["at"] = list(SPACES[each["id"]])
    elif system != "scratch":
        head["system"] = system
    if system in ("scratch", "board", "seize"):
        head["initiative"] = dict(zip(NAMES, ([face] for face in shared.sample(range(2, 20), 4)), strict=True))
    return begin_fight(head, Roller(shared))


@dataclass
class Roller:
    """Dice from a source of random numbers."""

    source: Random
    """The source."""

    def roll(self, sides: int) -> int:
        """Roll a die."""
        return self.source.randint(1, sides)


def list_steps(fight: Fight) -> dict[str, Any]:
    """Return the legal actions by their step as JSON.

    Some changes by the game master and some reported events have no action.
    """
    steps = {json.dumps(each.to_step()): each for each in fight.system.legal_actions(fight.state)}
    names = fight.system.table_event_titles
    steps |= {
        json.dumps({"do": do, "target": "vex", "points": 1}): None
        for do in ("stun", "damage", "lose-hp")
        if do in names
    }
    if fight.system.roll_keys and fight.state.phase == "running" and fight.state.pending_action is None:
        condition = {"do": "condition", "target": "vex", "condition": "evading", "bonus": 87}
        steps |= {json.dumps(each): None for each in ({"do": "set-hp", "target": "zed", "hp": 3}, condition)}
    return steps


def take(fight: Fight, text: str, action: Any, faces: Sequence[int]) -> Fight | None:
    """Take a step with as many of the faces as it needs.

    Returns None if it is refused.
    """
    needed = fight.playthrough.count_needed_faces(fight.state, action) if action is not None else 0
    after = add_step(fight, json.loads(text), None, faces[:needed])
    return after if isinstance(after, Fight) else None


def play_at_random(fight: Fight, dice: Random) -> Iterator[Fight]:
    """Yield a fight after each of some random steps."""
    for _ in range(STEPS):
        text, action = choose_step(list_steps(fight), dice)
        after = take(fight, text, action, [dice.randint(1, 20) for _ in range(9)]) if text else None
        if after is None:
            return
        fight = after
        yield fight


def choose_step(steps: Mapping[str, Any], dice: Random) -> tuple[str, Any]:
    """Choose a kind of action, then one of them.

    Returns "" if there are none.
    """
    kinds = sorted({json.loads(text)["do"] for text in steps})
    if not kinds:
        return "", None
    do = dice.choice(kinds)
    text = dice.choice(sorted(text for text in steps if json.loads(text)["do"] == do))
    return text, steps[text]


def view_players(fight: Fight, *sides: str, hidden: Sequence[str] = ()) -> PlayerView:
    """Return what the players of these sides see."""
    state, system = fight.state, fight.system
    rows = [FighterRow(each, system.build_status(state, each.id), 1, False) for each in state.fighters]
    return build_player_view(fight, Visibility(frozenset(sides), frozenset(hidden)), rows)


# Properties


@pytest.mark.parametrize("system", SYSTEMS)
def test_narration_is_independent_of_numbers_of_other_sides(system: str) -> None:
    """Fights that differ only in the foes' numbers have the same narrations.

    That holds as long as the same things happen in sight.
    """
    compared = 0
    for number in range(FIGHTS):
        shared = Random(f"{system} {number}")
        both = [begin(system, Random(f"heroes {number}"), Random(f"{secret} {number}")) for secret in ("one", "other")]
        for _ in range(STEPS):
            one, other = map(list_steps, both)
            text, _ = choose_step({text: one[text] for text in one if text in other}, shared)
            faces = [shared.randint(1, 20) for _ in range(9)]
            after = (
                [take(each, text, steps[text], faces) for each, steps in zip(both, (one, other), strict=True)]
                if text
                else []
            )
            if not all(after) or find_outcome(after[0]) != find_outcome(after[1]):
                break
            both = [each for each in after if each]
            views = [view_players(each, "heroes") for each in both]
            assert views[0].last_narration == views[1].last_narration, text
            assert views[0].step_count == views[1].step_count, text
            compared += 1
    assert compared >= FIGHTS


def find_outcome(fight: Fight | None) -> object:
    """Return what everyone at the table sees of the last step and of the characters."""
    if fight is None:
        return None
    result, visibility = fight.results[-1], Visibility(frozenset(("heroes",)))
    statuses = (
        visibility.redact_status(fight.system.build_status(fight.state, each.id), each.side)
        for each in fight.state.fighters
    )
    seen = [(each.hp, each.condition, each.labels_with_rules, each.mark) for each in statuses]
    damages = [(each.who, each.damage) for each in result.events if isinstance(each, Damaged)]
    successes = [each.check.is_success for each in result.rolls if hasattr(each, "check")]
    return seen, damages, successes, getattr(fight.state, "pending_action", None)


@pytest.mark.parametrize("system", SYSTEMS)
def test_narration_for_strangers_has_only_numbers_of_the_action(system: str) -> None:
    """Readers who know no numbers read only those of the declared action, and the damage."""
    for number in range(FIGHTS):
        for fight in play_at_random(begin(system, Random(number), Random(number)), Random(f"{system} {number}")):
            result = fight.results[-1]
            declared = set(re.findall(r"\d+", json.dumps(result.action.to_step())))
            damages = {str(each.damage) for each in result.events if isinstance(each, Damaged)}
            text = result.sentences.write(WITHOUT_NUMBERS)
            assert {*re.findall(r"\d+", text)} <= {*declared, *damages, *find_spaces(result)}, text


def find_spaces(result: StepResult) -> set[str]:
    """Return the numbers of all spaces that a narration may have."""
    pending = getattr(result.state, "pending_action", None)
    ends = [each.at for each in result.state.fighters if getattr(each, "at", None)]
    ends += [pending.path[-1]] if pending and pending.path else []
    return {str(abs(each)) for end in ends for each in end}


@pytest.mark.parametrize("system", SYSTEMS)
def test_narration_of_a_fight_without_secrets_is_that_of_the_game_master(system: str) -> None:
    """Readers who know all numbers read the same, without parts for the game master alone."""
    reader = PlayerReader(NAMES, frozenset(NAMES))
    for number in range(FIGHTS):
        for fight in play_at_random(begin(system, Random(number), Random(number)), Random(f"{system} {number}")):
            result = fight.results[-1]
            text = result.sentences.write(reader)
            assert (text == "") == result.is_gm_action, result.narration
            if not has_secret(result.sentences):
                assert text == str(result.sentences)


def has_secret(part: object) -> bool:
    """Return whether a narration has a part for the game master alone."""
    if isinstance(part, DeferredNarration):
        return has_secret(part.narration)
    if isinstance(part, TargetReports):
        return any(map(has_secret, (*part.reports, *part.lone_reports)))
    return isinstance(part, Narration) and (part.owner == GAME_MASTER or any(map(has_secret, part.parts)))


@pytest.mark.parametrize("system", SYSTEMS)
def test_narration_names_no_hidden_character(system: str) -> None:
    """A hidden character's name and actions are in no narration, whatever happens to the character."""
    for number in range(FIGHTS):
        for fight in play_at_random(begin(system, Random(number), Random(number)), Random(f"{system} {number}")):
            view = view_players(fight, "heroes", "foes", hidden=["zed"])
            assert "Zed" not in f"{view.last_narration} {view.headline}"
            assert "{" not in view.last_narration


# Parts


ANN, BO, ZED = (BaseFighter(own, NAMES[own], "red") for own in ("ann", "bo", "zed"))
READER = PlayerReader({"ann": "Ann", "bo": "Bo 1"}, frozenset(("ann",)))


def test_names_are_those_of_the_reader() -> None:
    """The game master reads the names of the fight, the players those that they know."""
    narration = narrate("{} swaps places with {}.", ANN, BO)
    assert (str(narration), narration.write(READER)) == (
        "Ann swaps places with Bo.",
        "Ann swaps places with Bo 1.",
    )


def test_hidden_name_is_an_error_except_in_a_nested_part() -> None:
    """A nested part is left out, a whole narration can't be written."""
    with pytest.raises(HiddenCharacterError):
        narrate("{} holds {}.", ANN, ZED).write(READER)
    narration = narrate("{} acts.{}", ANN, narrate(" {} is delayed.", ZED))
    assert (str(narration), narration.write(READER)) == ("Ann acts. Zed is delayed.", "Ann acts.")


def test_concealed_part_has_other_words_for_other_readers() -> None:
    """Only those who know the owner's numbers read a concealed part."""
    parts = [conceal(own, " {}", 7, otherwise=" some") for own in ("ann", "bo", GAME_MASTER)]
    narration = narrate("points:{}{}{}", *parts)
    assert (str(narration), narration.write(READER)) == ("points: 7 7 7", "points: 7 some some")


def test_list_of_names_leaves_out_hidden_ones() -> None:
    """Each visible name is listed once, and a list of hidden characters can't be written."""
    narration = narrate("{} may interrupt.", NameList((ZED, ANN, BO, ANN), "or"))
    assert (str(narration), narration.write(READER)) == (
        "Zed, Ann or Bo may interrupt.",
        "Ann or Bo 1 may interrupt.",
    )
    with pytest.raises(HiddenCharacterError):
        narrate("{} may interrupt.", NameList((ZED,))).write(READER)


@pytest.mark.parametrize(
    ("targets", "text"),
    [
        ((ANN, BO), "It blasts Ann and Bo 1. Ann: hit. Bo 1: hit."),
        ((ANN, ZED), "It blasts Ann: hit."),
        ((ZED,), "It blasts an empty space."),
    ],
)
def test_hidden_targets_do_not_change_the_sentence(targets: Sequence[BaseFighter], text: str) -> None:
    """The form of the sentences depends on the visible targets alone."""
    lead = narrate("It blasts {}.", NameList(targets))
    reports = [narrate("{}: hit.", each) for each in targets]
    lone_reports = [narrate("It blasts {}: hit.", each) for each in targets]
    assert TargetReports(lead, reports, lone_reports, narrate("It blasts an empty space.")).write(READER) == text


def test_attack_on_a_hidden_target_has_only_its_title() -> None:
    """A visible character's action against a hidden one is named without its target and result."""
    fight = begin("scratch", Random(1), Random(1))
    text = next(text for text in list_steps(fight) if '"basic-attack"' in text and '"zed"' in text)
    actor = json.loads(text)["actor"]
    after = take(fight, text, list_steps(fight)[text], [12])
    assert after
    assert view_players(after, "heroes", hidden=["zed"]).last_narration == f"{NAMES[actor]} acts: basic attack."
