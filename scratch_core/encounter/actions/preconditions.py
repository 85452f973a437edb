"""Preconditions of actions that don't depend on the target: conditions, and what the turn has left."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from scratch_core.encounter.actions.ability_choice import AbilityNames, required_ability_problems
from scratch_core.encounter.actions.action import TURN_ACTIONS
from scratch_core.encounter.actions.current_figures import PreparedAttack, build_prepared_attack
from scratch_core.encounter.actions.phrases import ACTION_TITLES
from scratch_core.encounter.state import GM_CAUSE, EncounterState, Fighter
from scratch_core.errors import Problem, build_rule_problems, join_words
from scratch_core.rulebook.action_spec import ActionSpec
from scratch_core.rulebook.actions import ACTION_SPECS, BASIC_ATTACK, END_TURN, ENGAGE, ESCAPE, HOLD, RULES_BY_CAUSE
from scratch_core.turn_systems import build_no_fight_problems

ActionNames = frozenset[str]


def _select_action_names(predicate: Callable[[ActionSpec], bool]) -> ActionNames:
    return frozenset(do for do, spec in ACTION_SPECS.items() if predicate(spec))


CLOSE_ATTACKS = _select_action_names(lambda spec: spec.is_close_attack)
LONG_ATTACKS = _select_action_names(lambda spec: spec.is_long_attack)
ATTACKS = CLOSE_ATTACKS | LONG_ATTACKS
UNREPEATABLE_ACTIONS = _select_action_names(lambda spec: spec.is_once_per_encounter)
REGULAR = _select_action_names(lambda spec: spec.is_regular)
BONUS = _select_action_names(lambda spec: spec.is_bonus)

_NONE: ActionNames = frozenset()
_ALL = frozenset(TURN_ACTIONS)
_NOT_ABSENT = _ALL - {END_TURN.do}
_NOT_OFF_BOARD = _ALL - {ESCAPE.do, END_TURN.do}
_NOT_DELAYED = _select_action_names(lambda spec: not spec.is_allowed_delayed)
_NOT_PANICKED = _select_action_names(lambda spec: not spec.is_allowed_panicked)
_NOT_FROM_COVER = _select_action_names(lambda spec: not spec.is_allowed_in_cover)
_LEGACY_PAIR = frozenset((HOLD.do, BASIC_ATTACK.do))


@dataclass(frozen=True, slots=True)
class TurnContext:
    """The state and the actor, whose turn has begun."""

    state: EncounterState
    """The state."""
    actor: Fighter
    """The actor as it is in the state."""
    attacks: dict[tuple[str, AbilityNames, str], PreparedAttack] = field(
        default_factory=dict, compare=False, repr=False
    )
    """A cache of the actor's attacks by action, abilities and target id. They don't depend on the dice."""

    def get_or_build_attack(self, do: str, abilities: AbilityNames, target: Fighter) -> PreparedAttack:
        """Return the actor's attack on a target, before its die roll. Rules: `roll.modifier`, `attack.type-map`."""
        key = (do, abilities, target.id)
        attack = self.attacks.get(key)
        if attack is None:
            attack = self.attacks[key] = build_prepared_attack(self.actor, do, abilities, target, self.state.rulings)
        return attack

    @property
    def is_encounter_running(self) -> bool:
        """Whether the encounter is running. Rule: `turn.encounter`."""
        return self.state.phase == "running"


@dataclass(frozen=True, slots=True)
class Precondition:
    """A reason that may forbid several actions, whatever their targets."""

    list_forbidden: Callable[[TurnContext], ActionNames]
    """Returns the names of the actions that it forbids now."""
    list_problems: Callable[[TurnContext, str], list[Problem]]
    """Returns the problems of a forbidden action."""


def down_or_away_problems(actor: Fighter, do: str) -> list[Problem]:
    """Return why an actor who is down or away can't act.

    It has no toughness or no hit points, has escaped, or was removed. It may still end its turn.
    Rules: `tough.none`, `hp.incapacitated`, `act.escape.effect`.
    """
    where = ACTION_TITLES[do]
    if not actor.numbers.max_hp:
        rules, got = "tough.none hp.incapacitated", f"{actor.name} without"
        return build_rule_problems("actor.no-toughness", rules, "an actor with toughness", got, where, actor=actor.name)
    if actor.is_down:
        return build_incapacitated_problems(actor, where)
    if actor.escaped:
        rules, got = "act.escape.effect act.escape", f"{actor.name}, who has escaped"
        return build_rule_problems("actor.escaped", rules, "an actor still there", got, where, actor=actor.name)
    if actor.gone:
        got = f"{actor.name}, who has left"
        return build_rule_problems("actor.left", "turn.encounter", "an actor still there", got, where, actor=actor.name)
    return []


def build_no_encounter_problems(do: str) -> list[Problem]:
    """Build the problem of a turn's action outside an encounter. Rule: `turn.encounter`."""
    return build_no_fight_problems("turn.encounter", ACTION_TITLES[do])


def build_incapacitated_problems(actor: Fighter, where: str) -> list[Problem]:
    """Build the problem of an actor without hit points. Rule: `hp.incapacitated`."""
    expected, got = "an actor with hit points left", f"{actor.name} with none"
    return build_rule_problems("actor.incapacitated", "hp.incapacitated", expected, got, where, actor=actor.name)


def build_delayed_problems(actor: Fighter, do: str) -> list[Problem]:
    """Build the problem of a delayed actor.

    It cites the rule of each cause. Rules: `cond.delayed`, `cond.delayed.expiry`.
    """
    causes = dict.fromkeys(delay.cause for delay in actor.delays)
    rules = " ".join(
        ["cond.delayed", *(RULES_BY_CAUSE[cause] for cause in causes if cause != GM_CAUSE), "cond.delayed.expiry"]
    )
    last = max(delay.until for delay in actor.delays)
    until = "this turn" if last <= actor.turn else "their next turn"
    got = f"{actor.name}, delayed by {' and '.join(causes)} until the end of {until}"
    facts = {"actor": actor.name, "causes": join_words([*causes]), "until": until}
    return build_rule_problems("actor.delayed", rules, "an actor who is not delayed", got, ACTION_TITLES[do], **facts)


def _build_in_cover_problems(context: TurnContext, do: str) -> list[Problem]:
    """Build the problem of an action that is forbidden in cover. Rule: `act.cover.forbidden`."""
    rules = f"act.cover.forbidden {ENGAGE.rule}" if do == ENGAGE.do else "act.cover.forbidden"
    expected, name = "an actor out of cover (leaving it is free)", context.actor.name
    return build_rule_problems("cover.leave-first", rules, expected, f"{name} in cover", ACTION_TITLES[do], actor=name)


def list_forbidden_regular_actions(context: TurnContext) -> ActionNames:
    """List the actions that the used regular action forbids.

    A follow-up is part of the regular action. With the older wrestling rules a hold and a basic attack go together,
    without a move between them (ruling K06).
    Rules: `act.regular`, `act.fighting.double`, `act.wrestling.bonus`, `grid.move.once`.
    """
    used, follow_up = context.state.ledger.regular, context.state.ledger.opened
    if not used:
        return _NONE
    if follow_up:
        return REGULAR - {follow_up}
    is_half_used = len(used) == 1 and used[0] in _LEGACY_PAIR and context.state.ledger.moved != "after"
    if is_half_used and _may_combine_hold_and_attack(context):
        return REGULAR - (_LEGACY_PAIR - {used[0]})
    return REGULAR


def used_regular_action_problems(context: TurnContext, do: str) -> list[Problem]:
    """Return why the regular action of the turn is used.

    Rules: `act.regular`, `act.wrestling.bonus`, `grid.move.once`.
    """
    used = context.state.ledger.regular
    if do not in list_forbidden_regular_actions(context):
        return []
    if len(used) == 1 and {used[0], do} == _LEGACY_PAIR and _may_combine_hold_and_attack(context):
        expected = "a move before or after both attacks"
        return build_rule_problems(
            "move.between-attacks", "grid.move.once", expected, "one between them", ACTION_TITLES[do]
        )
    rules = "act.regular act.wrestling.bonus" if do in _LEGACY_PAIR else "act.regular"
    got = f"a second one after {ACTION_TITLES[used[-1]]}"
    facts = {"actor": context.actor.name, "done": ACTION_TITLES[used[-1]]}
    return build_rule_problems("turn.regular-used", rules, "one regular action a turn", got, ACTION_TITLES[do], **facts)


def _may_combine_hold_and_attack(context: TurnContext) -> bool:
    actor = context.actor
    return context.state.rulings.wrestling_double_legacy and actor.is_healthy and actor.level("wrestling") > 0


def _list_actions_spent_for_encounter(context: TurnContext) -> ActionNames:
    """List the unrepeatable actions that are spent against all targets (ruling A03). Rule: `act.unrepeatable`."""
    if not context.actor.used or context.state.rulings.unrepeatable_scope != "actor":
        return _NONE
    return frozenset(do for do, _ in context.actor.used)


def is_spent_for_encounter(context: TurnContext, do: str, target: str) -> bool:
    """Return whether an unrepeatable action is spent against a target (ruling A03).

    Depending on the ruling, one use spends it against all targets. Rule: `act.unrepeatable`.
    """
    is_any = context.state.rulings.unrepeatable_scope == "actor"
    return any(used == do and (is_any or against == target) for used, against in context.actor.used)


def build_already_used_problems(context: TurnContext, do: str, target_name: str = "") -> list[Problem]:
    """Build the problem of a spent unrepeatable action (ruling A03).

    `target_name` is the name of the target, or "" if the action is spent against all targets. Rule: `act.unrepeatable`.
    """
    rule, name = "act.unrepeatable", context.actor.name
    if target_name and context.state.rulings.unrepeatable_scope != "actor":
        expected = "each unrepeatable action once against a target in an encounter"
        facts = {"actor": name, "action": ACTION_TITLES[do], "target": target_name}
        return build_rule_problems(
            "turn.once-against-target", rule, expected, f"{name} again", ACTION_TITLES[do], **facts
        )
    expected = "each unrepeatable action once in an encounter"
    return build_rule_problems(
        "turn.once-used", rule, expected, f"{name} again", ACTION_TITLES[do], actor=name, action=ACTION_TITLES[do]
    )


@dataclass(frozen=True, slots=True)
class ActionPrecondition:
    """A precondition of one action that doesn't depend on the target."""

    is_unmet: Callable[[TurnContext], bool]
    """Returns whether it forbids the action."""
    list_problems: Callable[[TurnContext], list[Problem]]
    """Returns the problems if it does."""


@dataclass(frozen=True, slots=True)
class TargetPrecondition:
    """A precondition of several actions that depends on the target."""

    names: ActionNames
    """The names of the actions."""
    is_unmet: Callable[[TurnContext, str, Fighter], bool]
    """Returns whether it forbids an action against a target."""
    list_problems: Callable[[TurnContext, str, Fighter], list[Problem]]
    """Returns the problems if it does."""


def build_off_board_problems(actor: Fighter, got: str, where: str) -> list[Problem]:
    """Build the problem of an actor off the board who doesn't escape. Rule: `grid.escape.exit`."""
    expected = "an escape from a character off the board"
    return build_rule_problems("exit.escape-only", "grid.escape.exit", expected, got, where, actor=actor.name)


def build_must_evade_problems(rules: str, got: str, actor: Fighter, where: str) -> list[Problem]:
    """Build the problems of a panicked actor whose turn can't end yet. Rule: `cond.panicked`."""
    expected = "an evade or an escape from a panicked character"
    return build_rule_problems("turn.must-evade", rules, expected, got, where, actor=actor.name)


PRECONDITIONS = (
    Precondition(
        lambda context: _NOT_ABSENT if context.actor.is_out else _NONE,
        lambda context, do: down_or_away_problems(context.actor, do),
    ),
    Precondition(
        lambda context: _NOT_OFF_BOARD if context.state.has_left_board_by_edge(context.actor) else _NONE,
        lambda context, do: build_off_board_problems(context.actor, ACTION_TITLES[do], ACTION_TITLES[do]),
    ),
    Precondition(
        lambda context: _NOT_DELAYED if context.actor.delays else _NONE,
        lambda context, do: build_delayed_problems(context.actor, do),
    ),
    Precondition(
        lambda context: _NOT_PANICKED if context.actor.panicked_until else _NONE,
        lambda context, do: build_rule_problems(
            "actor.panicked",
            "cond.panicked",
            "an evade or an escape from a panicked character",
            f"{context.actor.name}, panicked",
            ACTION_TITLES[do],
            actor=context.actor.name,
        ),
    ),
    Precondition(lambda context: _NOT_FROM_COVER if context.actor.in_cover else _NONE, _build_in_cover_problems),
    Precondition(list_forbidden_regular_actions, used_regular_action_problems),
    Precondition(
        lambda context: context.actor.numbers.beyond, lambda context, do: required_ability_problems(context.actor, do)
    ),
    Precondition(
        lambda context: BONUS if context.state.ledger.bonus else _NONE,
        lambda context, do: build_rule_problems(
            "turn.bonus-used",
            "act.bonus",
            "one bonus action a turn",
            f"a second one after {ACTION_TITLES[context.state.ledger.bonus]}",
            ACTION_TITLES[do],
            actor=context.actor.name,
            done=ACTION_TITLES[context.state.ledger.bonus],
        ),
    ),
    Precondition(_list_actions_spent_for_encounter, build_already_used_problems),
)
"""What may forbid actions of a turn, whatever their targets, in the order of the problems.

A delay goes before panic (ruling A07).

Rules: `tough.none`, `hp.incapacitated`, `grid.escape.exit`, `cond.delayed`, `cond.panicked`, `act.cover.forbidden`,
`act.regular`, `roll.ability-required`, `act.bonus`, `act.unrepeatable`.
"""


def is_forced_to_evade(context: TurnContext) -> bool:
    """Return whether panic forces the actor to evade or escape first.

    Its turn can't end before. Panic no longer forces an actor who is down, away, delayed or off the board, or who has
    used a regular action (rulings A07, A08).
    Rules: `cond.panicked`, `grid.escape.exit`.
    """
    actor = context.actor
    is_gone = actor.is_out or context.state.has_left_board_by_edge(actor)
    return actor.is_panicked and not (is_gone or actor.delays or context.state.ledger.regular)
