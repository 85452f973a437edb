"""Every action that the fight calculator offers can be carried out, in random states of every turn system.

A state is reached by random presses from random characters, with random rulings and maps. In each state every offer is
pressed, as a page presses it: the answer is a legal step, and the log has grown. What a player types into the small
fields of an action, and what the game master changes, may be refused, but never with an exception.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from random import Random

import pytest

from scratch_core.calculators.board.sample_maps import SAMPLE_MAPS
from scratch_core.calculators.fight import View
from scratch_core.calculators.fight.gm_panel import BONUS, HP, STEP, TARGET
from scratch_core.calculators.fight.menu_records import ActionControl, ActionGroup
from scratch_core.dice import SeededRoller
from scratch_core.rulebook import RULE_OPTIONS
from scratch_core.rulebook.abilities import ABILITY_NAMES
from tests.regression.sample import generator, sample_size
from tests.support.fights import list_action_choices, list_error_controls, view_fight, view_next
from tests.support.known import require

pytestmark = [pytest.mark.heavy, pytest.mark.no_cover]

STATES = 400
"""States of each turn system in the full sample: 2,000 in all five."""

PART = 8
LONGEST_FIGHT = 40
"""The most presses from the beginning of a fight to a state."""

PLACES = ("level", "cover", "throwable", "climbable", "open-air", "deep-water", "water")
PEOPLE = ("Ann", "Bo", "Cy", "Di", "Ed")

Press = Mapping[str, str]
"""The controls of a query that a press changes."""


# Random fights


def scratch_setup(rng: Random, *, has_map: bool) -> dict[str, str]:
    """Return the set-up of two to five characters with random abilities on two sides."""
    blocks = []
    for place, name in enumerate(PEOPLE[: rng.randint(2, 5)]):
        lines = [name, f"side: {'red' if place % 2 else 'blue'}"]
        if rng.random() < 0.2:
            lines.append(f"group: {'red' if place % 2 else 'blue'}")
        if not has_map and rng.random() < 0.5:
            lines.append(f"here: {', '.join(rng.sample(PLACES[:-1], rng.randint(1, 4)))}")
        known_abilities = {*rng.sample(ABILITY_NAMES, rng.randint(1, 5)), "toughness"}
        lines += [f"{rng.randint(1, 3)} {ability}" for ability in ABILITY_NAMES if ability in known_abilities]
        blocks.append("\n".join(lines))
    ground = rng.choice(SAMPLE_MAPS).to_fields() if has_map else {}
    return {"sheets": "\n\n".join(blocks), **ground}


def rounds_setup(rng: Random, system: str) -> dict[str, str]:
    """Return the set-up of two to five characters with random words.

    The turn system rolls no attacks.
    """
    words = {
        "mano": ("speed {}", "stun {}", "weapons {}", "reach {}"),
        "mano-old": ("stun {}", "reach {}"),
        "seize": (),
    }[system]
    lines = []
    for place, name in enumerate(PEOPLE[: rng.randint(2, 5)]):
        own = [f"side {'red' if place % 2 else 'blue'}"]
        own += ["hp 6", f"hp/round {rng.randint(1, 4)}"] if system == "mano-old" else []
        own += [word.format(rng.randint(1, 2)) for word in words if rng.random() < 0.5]
        lines.append(f"{name}: {', '.join(own)}")
    more = {"stalkers": rng.choice(("", "Ann succeeds, Bo fails", "Ann succeeds"))} if system == "mano" else {}
    return {"system": system, "fighters": "\n".join(lines), **more}


def begin_fight(rng: Random, system: str) -> View:
    """Begin a fight, with a third of the rulings set to a random option."""
    rulings = {each.name: str(rng.choice(each.choices)) for each in RULE_OPTIONS if rng.random() < 1 / 3}
    has_map = system == "scratch-map"
    setup = scratch_setup(rng, has_map=has_map) if system.startswith("scratch") else rounds_setup(rng, system)
    seen = view_fight(SeededRoller(rng.getrandbits(32)), log="begin", **setup, **rulings)
    assert seen.phase == "fight", (setup, seen.problems)
    return seen


# What is offered


def list_choices(seen: View) -> list[ActionGroup]:
    """List the actions of a state that have targets, abilities or fields."""
    shown = require(seen.fight_view)
    choices = [each for turn in (*shown.turn_menus, *shown.crafting_menus) for each in turn.action_groups]
    return [
        *choices,
        *shown.start_groups,
        *shown.table_events,
        *(shown.question.action_groups if shown.question else ()),
    ]


def list_offers(seen: View) -> list[Press]:
    """List every offer of a state as its button sends it.

    Each offer comes with each option of the lists that belong to its action. Events of the table are pressed with the
    first option only, because the others may not fit the target.
    """
    shown, choices = require(seen.fight_view), list_choices(seen)
    first = {
        each.name: each.options[0][0]
        for choice in choices
        for each in choice.controls
        if each.kind != "tick" and each.options
    }
    found: list[Press] = []
    if shown.is_encounter and not shown.question:
        found += [{**first, "act": "check", "check_difficulty": "12"}]
        found += [] if shown.is_over else [{**first, "act": '{"do":"end-encounter"}'}]
    if shown.current_menu:
        found += [
            {**first, "act": offer.untargeted_step, "aims": shown.current_menu.default_targets_by_action_json}
            for _, offer in shown.current_menu.main_rows
        ]
    found += [{**first, "act": offer.step} for offer in list_action_choices(seen)]
    for choice in choices:
        steps = [offer.step for way in choice.variants for offer in way.choices]
        found += [{**first, "act": step} for step in steps]
        lists = [each for each in choice.controls if each.kind == "select" and choice not in shown.table_events]
        found += [
            {**first, each.name: value, "act": step} for each in lists for value, _ in each.options for step in steps
        ]
    return [dict(press) for press in dict.fromkeys(tuple(sorted(press.items())) for press in found)]


def list_trials(rng: Random, seen: View) -> Iterator[Press]:
    """Yield presses that may be refused.

    These are check boxes and numbers of an action, and changes by the game master.
    """
    shown = require(seen.fight_view)
    for choice in (*(shown.current_menu.action_groups if shown.current_menu else ()), *shown.table_events):
        if choice.controls and choice.variants:
            offer = rng.choice([offer for way in choice.variants for offer in way.choices])
            yield {**{each.name: _typed(rng, each) for each in choice.controls}, "act": offer.step}
    yield from ({"act": word} for word in ("undo", "redo", "setup"))
    if any(not shown.state.fighter(row.fighter.id).is_away for row in shown.rows):
        yield {"act": "continue"}
    who = rng.choice([row.fighter.id for row in shown.rows])
    chosen = (
        require(view_next(seen, act=f"gm-card {who}").game_master_panel).selected_fighter
        if seen.game_master_panel
        else None
    )
    if seen.game_master_panel and chosen:
        yield from ({"act": each.step, TARGET: who} for each in chosen.condition_toggles if each.step)
        yield from ({"act": step, TARGET: who} for step in (chosen.leave_step, chosen.return_step) if step)
        yield {"act": "gm-set-hp", TARGET: who, HP: str(rng.randint(0, 3))}
        yield {"act": "gm-evading", TARGET: who, BONUS: "2"}
        newcomer = f"New{rng.randrange(1000)}"
        yield {
            "act": "gm-join",
            "gm_new": "own",
            "gm_sheet": newcomer if seen.system_control_text else f"{newcomer}\n1 stealth",
        }
        if seen.game_master_panel.turn_order:
            ids = [own for own, _ in seen.game_master_panel.turn_order]
            yield {"act": "gm-reorder", "gm_moved": rng.choice(ids), "gm_before": rng.choice(ids)}
        if seen.game_master_panel.deletable_steps:
            yield {"act": "gm-strike", STEP: str(rng.choice(seen.game_master_panel.deletable_steps)[0])}


def _typed(rng: Random, control: ActionControl) -> str:
    if control.kind == "tick":
        return rng.choice(("", "true"))
    if control.kind == "number":
        return rng.choice(("", "1", "2", "9"))
    return rng.choice(control.options)[0]


# Trying them


def phase_of(seen: View) -> str:
    """Return the phase of a state, for the counts."""
    shown = require(seen.fight_view)
    if shown.is_over:
        return "over"
    if shown.question:
        return "waiting for an answer"
    return "running" if any(step.get("actor") for step in shown.fight.steps) else "before the first turn"


def press(seen: View, rng: Random, fields: Press) -> View:
    """Press a button, with dice of its own, and return the view.

    If the press raises an exception, the test fails with all that is needed to repeat it.
    """
    dice = rng.getrandbits(32)
    try:
        return view_next(seen, SeededRoller(dice), **fields)
    except Exception as error:
        raise AssertionError(f"Seeded({dice}), {dict(fields)}, log: {seen.fields['log']}") from error


def try_offers(seen: View, rng: Random, found: Sequence[Press]) -> None:
    """Press every offer, and check that the step is legal and logged."""
    for fields in found:
        after = press(seen, rng, fields)
        context = f"{dict(fields)}, {after.problems}, log: {seen.fields['log']}"
        assert not list_error_controls(after), context
        assert after.phase == "fight", context
        assert after.fields["log"] != seen.fields["log"], context


@pytest.mark.parametrize("system", ["scratch", "scratch-map", "mano", "mano-old", "seize"])
def test_offers_in_random_states_can_be_carried_out(system: str) -> None:
    """Every offer in every sampled state can be carried out: `act.basic.available`.

    It raises no exception, is a legal step and makes the log longer.
    """
    rng = generator(f"offers, {system}")
    counts: Counter[str] = Counter()
    seen, length = begin_fight(rng, system), 0
    for _ in range(sample_size(PART, full=STATES)):
        for _ in range(rng.choice((0, 1, 1, 2, 5))):
            exposing: list[Press] = [
                {"act": offer.step} for offer in list_action_choices(seen) if offer.interrupter_names
            ]
            if exposing and rng.random() < 0.4:
                found = exposing  # what follows waits for interrupts, as few random presses do
            else:
                found = [*list_trials(rng, seen)] if rng.random() < 0.2 else list_offers(seen)
            after = press(seen, rng, rng.choice(found)) if found else seen
            length += 1
            is_done = after.phase != "fight" or (phase_of(after) == "over" and rng.random() < 0.8)
            if is_done or not found or length > LONGEST_FIGHT:
                seen, length = begin_fight(rng, system), 0
            else:
                seen = after
        found = list_offers(seen)
        phase = phase_of(seen)
        counts[f"{phase}: states"] += 1
        counts[f"{phase}: offers"] += len(found)
        try_offers(seen, rng, found)
        for fields in list_trials(rng, seen):
            counts[f"{phase}: others"] += 1
            after = press(seen, rng, fields)
            assert after.phase == "fight" or fields["act"] == "setup", (fields, after.problems)
    for name in sorted(counts):
        print(f"{system}, {name}: {counts[name]:,}")
