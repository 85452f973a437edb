"""Comparison of the engine with the oracles, on thousands of random steps, with and without a map, in all turn systems.

A situation is one step of a random fight. `ORACLE_SITUATIONS` in the environment raises their number.
"""

import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from scratch_core import scenario
from scratch_core.errors import ScratchError
from tests.oracle import board_fight_oracle, fight_oracle, fight_situations
from tests.oracle.fights import FIGHTS, LISTED_EVERY, SITUATIONS, Tree, oracle_of, outcomes

BATCHES = 10

# Rules that the engine names whatever else the step breaks.
PLAIN = {
    *("act.regular", "act.bonus", "act.unrepeatable", "hp.incapacitated", "tough.none", "cond.panicked"),
    *("act.cover.forbidden", "flying.immunity", "swimming.deep-evade", "act.escape.effect", "act.escape"),
    *("minion.no-heal", "act.heal.not-self", "act.blasting.distinct", "act.throw-object.needs-object"),
    *("act.fighting.double", "act.wrestling.counter-hold", "craft.encounter-lock", "craft.needs-level"),
    *("craft.one-per-ability", "grid.move.once", "grid.close.reach", "grid.long.los", "grid.heal.adjacent"),
    "grid.interrupt.escape-ban",
}


def paths(tree: Tree) -> Tree:
    """Flatten the engine's state to the paths of the oracle's figures."""
    flat = {}
    for key, value in tree.items():
        flat |= {f"{key}.{name}": each for name, each in value.items()} if isinstance(value, dict) else {key: value}
    return flat


# What differs


def differences(tree: Tree, listed_every: int) -> Iterator[str]:
    """Yield the differences between engine and oracle, up to the first differing step."""
    played = scenario.play(scenario.scenario_from_dict(tree))
    pairs = zip(tree["steps"], outcomes(tree), played.results, strict=True)
    for number, (step, (state, mine), record) in enumerate(pairs, 1):
        where = f"step {number} ({step.get('actor', '')} {step['do']})"
        found = [*verdicts(where, mine, record), *figures(where, oracle_of(tree).figures(state), mine, record)]
        found += interrupters(where, state, mine, record)
        if not found and number % listed_every == 0 and state.get("order") != []:
            found = list(listing(where, oracle_of(tree), state, played.states[number], record.system))
        if found:
            yield from found
            return


def verdicts(where: str, mine: Tree, record: Any) -> Iterator[str]:
    """Compare verdict and rolls of a step.

    The engine names the broken rules that are in `PLAIN`, whatever else the step breaks.
    """
    tree = json.loads(json.dumps(record.to_dict()))
    if record.error is not None:
        yield f"{where}: the engine refuses the step: {record.error}"
        return
    if record.is_legal != mine["legal"]:
        expected = f"{mine['legal']} {sorted(mine['broken'])}"
        yield f"{where}: legal is {record.is_legal} {record.broken_rules}, expected {expected}"
        return
    if not record.is_legal and record.rule not in mine["broken"]:
        yield f"{where}: rule is {record.rule}, expected one of {sorted(mine['broken'])}"
    missing = mine["broken"] & PLAIN - set(record.broken_rules)
    is_elsewhere = mine["broken"] & {"turn.order", "turn.encounter"} or record.do in board_fight_oracle.WAITERS
    if missing and not is_elsewhere:
        yield f"{where}: rules are {record.broken_rules}, expected {sorted(missing)} among them"
    if "rolls" in mine and rolls_of(tree) != mine["rolls"]:
        yield f"{where}: rolls are {rolls_of(tree)}, expected {mine['rolls']}"


def rolls_of(record: Tree) -> list[Tree]:
    """Return the engine's rolls with the oracle's keys."""
    words = ("face", "total", "success", "automatic")
    return [{**{key: each[key] for key in words}, "against": each["against"]["value"]} for each in record["rolls"]]


def figures(where: str, expected: Tree, mine: Tree, record: Any) -> Iterator[str]:
    """Yield the figures that differ from the oracle's."""
    theirs = {"prevented": record.prevented, **paths(record.system.state_to_dict(record.state))}
    for path, value in {"prevented": mine.get("prevented", False), **expected}.items():
        if theirs[path] != value:
            yield f"{where}: {path} is {theirs[path]!r}, expected {value!r}"


def interrupters(where: str, state: Tree, mine: Tree, record: Any) -> Iterator[str]:
    """Compare who may interrupt this step.

    That is compared where the step waits, and where it waited for no one.
    """
    if "able" not in mine or record.do in board_fight_oracle.WAITERS or not record.is_legal:
        return
    state_before = record.declared_state or record.state
    names = {
        name for name in state["characters"] if "interrupt" in record.system.legal_action_names(state_before, name)
    }
    if names != mine["able"]:
        yield f"{where}: {sorted(names)} may interrupt, expected {sorted(mine['able'])}"


def listing(where: str, oracle: Any, state: Tree, theirs: Any, system: Any) -> Iterator[str]:
    """Compare the list of all legal actions.

    Each is listed once, some are checked, and the names of a character's actions are the same. Crafting is left out.
    """
    acts = system.legal_actions(theirs)
    listed = [oracle.canonical(act.to_step()) for act in acts if act.do != "craft"]
    if len(listed) != len(set(listed)):
        yield f"after {where}: an act is listed twice"
    for step in sorted(set(listed) ^ {oracle.canonical(step) for step in oracle.legal(state)}, key=str):
        yield f"after {where}: {dict(step)} is {'listed' if step in listed else 'missing'}"
    for act in acts[::5]:
        if system.check_action(theirs, act):
            yield f"after {where}: {act} is listed and refused"
    for who in state["characters"]:
        if system.legal_action_names(theirs, who) != {act.do for act in acts if act.actor == who}:
            yield f"after {where}: the names of what {who} may do are others than those listed"


def kind_of(difference: str) -> str:
    """Remove the names and numbers that change while a scenario gets smaller."""
    return re.sub(r"\d+|'[a-e]'|\b[a-e]\b|\[.*", "", difference)


def agree(tree: Tree) -> None:
    """Fail with all differences of a scenario, if there are any.

    The scenario is reduced to the steps that a difference of its kind needs.
    """
    if not any(differences(tree, LISTED_EVERY)):
        return
    kind = kind_of(next(differences(tree, 1)))
    for n in reversed(range(len(tree["steps"]))):
        smaller = {**tree, "steps": tree["steps"][:n] + tree["steps"][n + 1 :]}
        try:
            if kind_of(next(differences(smaller, 1), "")) == kind:
                tree = smaller
        except (ScratchError, LookupError, ValueError):  # no longer a scenario, or too few faces for it
            continue
    pytest.fail("\n".join([*differences(tree, 1), fight_situations.to_toml(tree)]))


@pytest.mark.no_cover
@pytest.mark.parametrize("batch", range(BATCHES))
@pytest.mark.parametrize("kind", FIGHTS)
def test_engine_agrees_with_oracle_in_random_fights(kind: str, batch: int) -> None:
    """Every step of every fight has the oracle's verdict, rolls and figures."""
    done, seed = 0, batch
    while done < SITUATIONS / BATCHES:
        tree = FIGHTS[kind](seed)
        agree(tree)
        done += len(tree["steps"])
        seed += BATCHES


@pytest.mark.parametrize(("kind", "seed"), [("mano", 413)], ids=["the turn after two leave"])
def test_engine_agrees_with_oracle_in_a_rare_fight(kind: str, seed: int) -> None:
    """A long run has found these fights, which are rare."""
    agree(FIGHTS[kind](seed))


# The oracles on the catalogue's worked cases: they obey the rules that they check

CASES = sorted((Path(__file__).parent.parent / "rules" / "cases").glob("*.toml"))
ROLLED = ("success", "total", "against", "automatic")
LEFT_TO_THE_ENGINE = ("can", "cannot", "rule")
"""Keys that are not compared: random fights compare legality, and a case names only one of several broken rules."""
ELSEWHERE = {
    **dict.fromkeys(("E035a", "E035b"), "no step, and the dice of a tie left open"),
    **dict.fromkeys(
        ("E135c", "E138c", "E143", "ruling-A16-on-board"), "pending actions are in the record of the step before"
    ),
    **dict.fromkeys(("E166", "E167b"), "only the engine lists the order of those who have not begun"),
    **dict.fromkeys(("E158", "mano-some-of-the-move"), "how much of a move is walked is the engine's"),
    **dict.fromkeys(("ruling-A16", "ruling-A16-let-go", "ruling-A37"), "steps in a form that only the engine reads"),
}
"""Cases that no oracle can check, and why: the random fights compare their subject."""


@pytest.mark.parametrize("path", [each for each in CASES if each.stem not in ELSEWHERE], ids=lambda path: path.stem)
def test_oracle_agrees_with_the_rule_cases(path: Path) -> None:
    """Verdict, rolls and figures of every step are those that the case expects."""
    tree = tomllib.loads(path.read_text("utf-8"))
    groups = fight_oracle.groups_of(tree) if tree["system"] == "scratch" else {}
    tree["initiative"] = tree.get("initiative") or {group: [20 - place] for place, group in enumerate(groups)}
    expected = [*(step.get("expect", {}) for step in tree["steps"]), tree.get("expect", {})]
    found = list(outcomes(tree))
    for number, (wanted, (state, record)) in enumerate(zip(expected, [*found, found[-1]], strict=True), 1):
        rolls = {key: [each[key] for each in record.get("rolls", ())] for key in ROLLED}
        results = {**record, **rolls, **oracle_of(tree).figures(state)}
        expectations = paths({**({"legal": False} if "rule" in wanted else {}), **wanted})
        expectations = {
            key: value for key, value in expectations.items() if key.partition(".")[0] not in LEFT_TO_THE_ENGINE
        }
        assert {key: results.get(key) for key in expectations} == expectations, number
