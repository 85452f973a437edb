"""What keeps somebody from acting, whoever the target is: conditions, and what the turn has left."""

from __future__ import annotations

from dataclasses import dataclass

from scratch_core.actions.action import SUMMARIES
from scratch_core.actions.words import TITLES, broken
from scratch_core.errors import Problem
from scratch_core.state import Fighter, State

CLOSE = frozenset(do for do, summary in SUMMARIES.items() if summary.range == "close") | {"interrupt"}
LONG = frozenset(do for do, summary in SUMMARIES.items() if summary.range == "long")
NOT_FROM_COVER = CLOSE | {"surprise", "intimidate", "evade", "engage"}
ATTACKS = CLOSE | LONG
ONCE = frozenset(do for do, summary in SUMMARIES.items() if summary.kind == "regular, once per encounter")
REGULAR = frozenset(do for do, summary in SUMMARIES.items() if summary.kind.startswith("regular"))
BONUS = frozenset(do for do, summary in SUMMARIES.items() if summary.kind == "bonus")

_CAUSE_RULES = {
    "hold": "act.hold",
    "distract": "act.distract",
    "shooting": "act.shooting.injured-delay",
    "blasting": "act.blasting.injured-delay",
    "knockout": "act.knockout.self-delay",
}


@dataclass(frozen=True, slots=True)
class Scene:
    """The moment at which somebody acts: the state, and the actor in it, whose turn has begun."""

    state: State
    actor: Fighter

    @property
    def is_encounter(self) -> bool:
        """Whether the encounter is going on. Rule: `turn.encounter`."""
        return self.state.phase == "running"


def absence_problems(actor: Fighter, do: str) -> list[Problem]:
    """Why the actor isn't up at all: no toughness, no hit points, or escaped.

    Rules: `tough.none`, `hp.incapacitated`, `act.escape.effect`.
    """
    where = TITLES[do]
    if not actor.numbers.max_hp:
        return broken("tough.none hp.incapacitated", "an actor with toughness", f"{actor.name} without", where)
    if actor.is_down:
        return broken("hp.incapacitated", "an actor with hit points left", f"{actor.name} with none", where)
    if actor.escaped:
        return broken("act.escape.effect act.escape", "an actor still there", f"{actor.name}, who has escaped", where)
    return []


def condition_problems(scene: Scene, do: str) -> list[Problem]:
    """What the actor's conditions forbid. A delay goes before panic (ruling A07).

    Rules: `cond.delayed`, `cond.panicked`, `act.cover.forbidden`, and the rule of each delay's cause.
    """
    actor, problems = scene.actor, []
    if actor.delays:
        problems += delay_problems(actor, do)
    if actor.panicked_until and (do in ATTACKS or do in ("heal", "revive", "engage")):
        expected = "an evade or an escape from somebody panicked"
        problems += broken("cond.panicked", expected, f"{actor.name}, panicked", TITLES[do])
    if actor.in_cover and do in NOT_FROM_COVER:
        expected = "an actor out of cover (leaving it is free)"
        rules = "act.cover.forbidden act.engage" if do == "engage" else "act.cover.forbidden"
        problems += broken(rules, expected, f"{actor.name} in cover", TITLES[do])
    return problems


def delay_problems(actor: Fighter, do: str) -> list[Problem]:
    """Each cause of a delay with its rule. Rules: `cond.delayed`, `cond.delayed.expiry`."""
    causes = dict.fromkeys(delay.cause for delay in actor.delays)
    rules = " ".join(["cond.delayed", *(_CAUSE_RULES[cause] for cause in causes), "cond.delayed.expiry"])
    last = max(delay.until for delay in actor.delays)
    until = "this turn" if last <= actor.turn else "its next turn"
    got = f"{actor.name}, delayed by {' and '.join(causes)} until the end of {until}"
    return broken(rules, "an actor who is not delayed", got, TITLES[do])


def regular_problems(scene: Scene, do: str) -> list[Problem]:
    """Whether the regular action of the turn is spent; with the older wrestling a hold and a blow go together (K06).

    No move comes between them. Rules: `act.regular`, `act.wrestling.bonus`, `grid.move.once`.
    """
    done = scene.state.ledger.regular
    if not done:
        return []
    if len(done) == 1 and {done[0], do} == {"hold", "basic-attack"} and _is_old_wrestler(scene):
        if scene.state.ledger.moved != "after":
            return []
        return broken("grid.move.once", "a move before or after both attacks", "one between them", TITLES[do])
    rules = "act.regular" if do not in ("hold", "basic-attack") else "act.regular act.wrestling.bonus"
    return broken(rules, "one regular action a turn", f"a second one after {TITLES[done[-1]]}", TITLES[do])


def _is_old_wrestler(scene: Scene) -> bool:
    actor = scene.actor
    return scene.state.rulings.wrestling_double_legacy and actor.is_healthy and actor.level("wrestling") > 0


def bonus_problems(scene: Scene, do: str) -> list[Problem]:
    """Whether the bonus action of the turn is spent. Rule: `act.bonus`."""
    done = scene.state.ledger.bonus
    if not done:
        return []
    return broken("act.bonus", "one bonus action a turn", f"a second one after {TITLES[done]}", TITLES[do])


def once_problems(scene: Scene, do: str, target: str) -> list[Problem]:
    """Whether an unrepeatable action is spent, at all or against that target (ruling A03). Rule: `act.unrepeatable`."""
    for used, against in scene.actor.used:
        if used == do and (scene.state.rulings.unrepeatable_scope == "actor" or against == target):
            expected = "each unrepeatable action once in an encounter"
            return broken("act.unrepeatable", expected, f"{scene.actor.name} again", TITLES[do])
    return []


def must_evade(scene: Scene) -> bool:
    """Whether panic leaves the actor no way but to evade or escape before its turn may end (rulings A07, A08).

    Off the board nobody can evade any more. Rules: `cond.panicked`, `grid.escape.exit`.
    """
    actor = scene.actor
    is_gone = actor.is_down or actor.escaped or scene.state.is_off(actor)
    is_able = not (is_gone or actor.delays or scene.state.ledger.regular)
    return is_able and actor.is_panicked
