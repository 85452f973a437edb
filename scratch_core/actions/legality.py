"""Whether an action is legal for somebody whose turn it is: every rule it breaks, with what would be legal."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement

from scratch_core.actions import attacks, moving, places, support, turn_acts
from scratch_core.actions.action import SUMMARIES, WITH, Action
from scratch_core.actions.bars import (
    ATTACKS,
    BONUS,
    ONCE,
    REGULAR,
    Scene,
    absence_problems,
    bonus_problems,
    condition_problems,
    once_problems,
    regular_problems,
)
from scratch_core.actions.choosing import choice_problems, options, requirement_problems
from scratch_core.actions.words import TITLES, broken
from scratch_core.board import Space, seen
from scratch_core.errors import Problem
from scratch_core.state import Fighter, State

DELAYED_MAY = frozenset(("counter-hold", "nothing", "end-turn", "leave-cover"))
"""What a delayed character may do. Rules: `cond.delayed`, `act.wrestling.counter-hold`, `act.cover.stay`."""

HEALING = ("heal", "revive")
MOVING = {"move": moving.move_problems, "reposition": moving.reposition_problems}


def problems(scene: Scene, action: Action) -> list[Problem]:
    """Every rule that an action of a turn breaks, the actor's turn having begun; none when it is legal."""
    if action.do in MOVING:
        return MOVING[action.do](scene, action)
    found = actor_problems(scene, action.do)
    if action.do in ATTACKS:
        found += attacks.targets_problems(scene, action)
    elif action.do in HEALING:
        found += _one_patient(scene, action)
    if action.do in WITH:
        found += choice_problems(scene.actor, action, scene.state.rulings)
    return found


def _one_patient(scene: Scene, action: Action) -> list[Problem]:
    if len(action.targets) != 1:
        return broken(SUMMARIES[action.do].rule, "one target", str(len(action.targets)), TITLES[action.do])
    return support.patient_problems(scene, action.do, scene.state.fighter(action.targets[0]))


def actor_problems(scene: Scene, do: str) -> list[Problem]:
    """What forbids an action whoever its target is. Even somebody down or gone may end a turn.

    Outside an encounter there are no turns, but there is healing. Rules: `turn.encounter`, `act.unrepeatable`, and
    those of conditions, of the turn's ledger and of the action itself; `grid.escape.exit` for whoever is off the board.
    """
    actor = scene.actor
    found = absence_problems(actor, do) if do != "end-turn" else []
    if not scene.is_encounter:
        if do in HEALING:
            return found + requirement_problems(actor, do)
        return found + broken("turn.encounter", "an encounter that is going on", "none", TITLES[do])
    if scene.state.is_off(actor) and do not in ("escape", "end-turn"):
        found += broken("grid.escape.exit", "an escape from somebody off the board", TITLES[do], TITLES[do])
    if do in DELAYED_MAY:
        found += [
            each for each in condition_problems(scene, do) if each.rule in ("cond.panicked", "act.cover.forbidden")
        ]
    else:
        found += condition_problems(scene, do)
    if do in REGULAR:
        found += regular_problems(scene, do) + requirement_problems(actor, do)
    elif do in BONUS:
        found += bonus_problems(scene, do)
    if do in ONCE and scene.state.rulings.unrepeatable_scope == "actor":
        found += once_problems(scene, do, "")
    return found + (attacks.own_problems(scene, do) if do in ATTACKS else turn_acts.own_problems(scene, do))


# Listing


def listed_actions(scene: Scene) -> Iterator[Action]:
    """Every legal action of a turn once: each target, or set of targets in the file's order, each choice of ability."""
    for do in (*SUMMARIES, "end-turn"):
        if not actor_problems(scene, do):
            yield from _with_targets(scene, do)
    yield from moving.board_actions(scene)


def listed_names(scene: Scene) -> frozenset[str]:
    """The names of the legal actions of a turn, without going through all their targets and abilities."""
    names = (*SUMMARIES, "end-turn")
    found = frozenset(do for do in names if not actor_problems(scene, do) and any(_with_targets(scene, do)))
    return found if scene.state.board is None else found | {action.do for action in moving.board_actions(scene)}


def _with_targets(scene: Scene, do: str) -> Iterator[Action]:
    actor = scene.actor
    if do not in WITH:
        yield Action(actor.id, do)
        return
    summary = SUMMARIES[do]
    choices = options(actor, do, scene.state.rulings) if summary.adds else (None,)
    if do == "blast" and scene.state.board is not None:
        spaces = _aims(scene)
        yield from (Action(actor.id, do, uses=uses, space=space) for space in spaces for uses in choices)
        return
    for targets in _targets(scene, do):
        for uses in choices:
            yield Action(actor.id, do, targets, uses)


def _aims(scene: Scene) -> list[Space]:
    """The spaces that a blast can be aimed at, row by row. Rules: `grid.blast.target`, `grid.long.los`."""
    board, actor = scene.state.board, scene.actor
    if board is None or actor.at is None:
        return []
    clear = seen(board, actor.at, places.enemy_spaces(scene.state, actor))
    return [space for space in board.spaces if space in clear]


def _targets(scene: Scene, do: str) -> Iterator[tuple[str, ...]]:
    if do == "evade":
        yield ()
        return
    single = support.patient_problems if do in HEALING else attacks.target_problems
    open_to = [target.id for target in scene.state.fighters if not single(scene, do, target)]
    if do == "blast":
        yield from (chosen for size in (1, 2, 3) for chosen in combinations(open_to, size))
    elif do == "double-attack":
        yield from combinations_with_replacement(open_to, 2)
    else:
        yield from ((target,) for target in open_to)


def peace_actions(state: State, actor: Fighter) -> Iterator[Action]:
    """Every legal action outside an encounter: healing, and crafted bonuses.

    Rules: `craft.encounter-lock`, `act.heal`, `minion.no-heal`.
    """
    scene = Scene(state, actor)
    for do in HEALING:
        if not actor_problems(scene, do):
            yield from _with_targets(scene, do)
    yield from support.craft_actions(state, actor)
