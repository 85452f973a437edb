"""What keeps someone from acting, whoever the target is: conditions, and what the turn has left."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from scratch_core.encounter.actions.ability_choice import Uses, requirement_problems
from scratch_core.encounter.actions.action import IN_TURN
from scratch_core.encounter.actions.current_figures import Aim, aim
from scratch_core.encounter.actions.phrases import TITLES
from scratch_core.encounter.state import BY_HAND, Fighter, State
from scratch_core.errors import Problem, broken, listed
from scratch_core.rulebook.action_spec import ActionCard
from scratch_core.rulebook.actions import BASIC_ATTACK, CARDS, END_TURN, ENGAGE, ESCAPE, HOLD
from scratch_core.turn_systems import not_running

Names = frozenset[str]


def _names(is_so: Callable[[ActionCard], bool]) -> Names:
    return frozenset(do for do, card in CARDS.items() if is_so(card))


CLOSE = _names(lambda card: card.is_close)
LONG = _names(lambda card: card.is_long)
ATTACKS = CLOSE | LONG
ONCE = _names(lambda card: card.is_once)
REGULAR = _names(lambda card: card.is_regular)
BONUS = _names(lambda card: card.is_bonus)

_NONE: Names = frozenset()
_ALL = frozenset(IN_TURN)
_NOT_ABSENT = _ALL - {END_TURN.do}
_NOT_OFF = _ALL - {ESCAPE.do, END_TURN.do}
_NOT_DELAYED = _names(lambda card: not card.while_delayed)
_NOT_PANICKED = _names(lambda card: not card.is_calm)
_NOT_FROM_COVER = _names(lambda card: not card.from_cover)
_OLD_PAIR = frozenset((HOLD.do, BASIC_ATTACK.do))

_CAUSE_RULES = {card.cause: card.cause_rule for card in CARDS.values() if card.cause}


@dataclass(frozen=True, slots=True)
class Scene:
    """The moment at which someone acts: the state, and the actor in it, whose turn has begun.

    `aims` are the attacks aimed so far, by what they are made with and at whom: dice change nothing of them.
    """

    state: State
    actor: Fighter
    aims: dict[tuple[str, Uses, str], Aim] = field(default_factory=dict, compare=False, repr=False)

    def aimed(self, do: str, uses: Uses, target: Fighter) -> Aim:
        """The actor's attack on someone, before the die is thrown. Rules: `roll.modifier`, `attack.type-map`."""
        known = (do, uses, target.id)
        found = self.aims.get(known)
        if found is None:
            found = self.aims[known] = aim(self.actor, do, uses, target, self.state.rulings)
        return found

    @property
    def is_encounter(self) -> bool:
        """Whether the encounter is going on. Rule: `turn.encounter`."""
        return self.state.phase == "running"


@dataclass(frozen=True, slots=True)
class Bar:
    """One reason that may forbid acts whoever their target is: which ones it forbids now, and why, in words."""

    forbids: Callable[[Scene], Names]
    why: Callable[[Scene, str], list[Problem]]


def is_absent(actor: Fighter) -> bool:
    """Whether someone isn't up at all. Rules: `tough.none`, `hp.incapacitated`, `act.escape.effect`."""
    return actor.is_down or actor.is_away


def absence_problems(actor: Fighter, do: str) -> list[Problem]:
    """Why the actor isn't up at all: no toughness, no hit points, or escaped. Even so it may end a turn.

    Rules: `tough.none`, `hp.incapacitated`, `act.escape.effect`.
    """
    where = TITLES[do]
    if not actor.numbers.max_hp:
        rules, got = "tough.none hp.incapacitated", f"{actor.name} without"
        return broken("actor.no-toughness", rules, "an actor with toughness", got, where, actor=actor.name)
    if actor.is_down:
        return down_problems(actor, where)
    if actor.escaped:
        rules, got = "act.escape.effect act.escape", f"{actor.name}, who has escaped"
        return broken("actor.escaped", rules, "an actor still there", got, where, actor=actor.name)
    if actor.gone:
        got = f"{actor.name}, who has left"
        return broken("actor.left", "turn.encounter", "an actor still there", got, where, actor=actor.name)
    return []


def idle_problems(do: str) -> list[Problem]:
    """Build the problem of an action of a turn while no encounter goes on. Rule: `turn.encounter`."""
    return not_running("turn.encounter", TITLES[do])


def down_problems(actor: Fighter, where: str) -> list[Problem]:
    """Build the problem of an actor without hit points. Rule: `hp.incapacitated`."""
    expected, got = "an actor with hit points left", f"{actor.name} with none"
    return broken("actor.incapacitated", "hp.incapacitated", expected, got, where, actor=actor.name)


def delay_problems(actor: Fighter, do: str) -> list[Problem]:
    """Each cause of a delay with its rule. Rules: `cond.delayed`, `cond.delayed.expiry`."""
    causes = dict.fromkeys(delay.cause for delay in actor.delays)
    rules = " ".join(
        ["cond.delayed", *(_CAUSE_RULES[cause] for cause in causes if cause != BY_HAND), "cond.delayed.expiry"]
    )
    last = max(delay.until for delay in actor.delays)
    until = "this turn" if last <= actor.turn else "their next turn"
    got = f"{actor.name}, delayed by {' and '.join(causes)} until the end of {until}"
    facts = {"actor": actor.name, "causes": listed([*causes]), "until": until}
    return broken("actor.delayed", rules, "an actor who is not delayed", got, TITLES[do], **facts)


def _cover_problems(scene: Scene, do: str) -> list[Problem]:
    """Rule: `act.cover.forbidden`."""
    rules = f"act.cover.forbidden {ENGAGE.rule}" if do == ENGAGE.do else "act.cover.forbidden"
    expected, name = "an actor out of cover (leaving it is free)", scene.actor.name
    return broken("cover.leave-first", rules, expected, f"{name} in cover", TITLES[do], actor=name)


def regular_forbids(scene: Scene) -> Names:
    """The acts for which the regular action of the turn is spent.

    What goes on with it is still part of it. With the older wrestling a hold and a blow go together (K06), with no move
    between them. Rules: `act.regular`, `act.fighting.double`, `act.wrestling.bonus`, `grid.move.once`.
    """
    done, opened = scene.state.ledger.regular, scene.state.ledger.opened
    if not done:
        return _NONE
    if opened:
        return REGULAR - {opened}
    is_half = len(done) == 1 and done[0] in _OLD_PAIR and scene.state.ledger.moved != "after"
    if is_half and _is_old_wrestler(scene):
        return REGULAR - (_OLD_PAIR - {done[0]})
    return REGULAR


def regular_problems(scene: Scene, do: str) -> list[Problem]:
    """Why the regular action of the turn is spent. Rules: `act.regular`, `act.wrestling.bonus`, `grid.move.once`."""
    done = scene.state.ledger.regular
    if do not in regular_forbids(scene):
        return []
    if len(done) == 1 and {done[0], do} == _OLD_PAIR and _is_old_wrestler(scene):
        expected = "a move before or after both attacks"
        return broken("move.between-attacks", "grid.move.once", expected, "one between them", TITLES[do])
    rules = "act.regular act.wrestling.bonus" if do in _OLD_PAIR else "act.regular"
    got = f"a second one after {TITLES[done[-1]]}"
    facts = {"actor": scene.actor.name, "done": TITLES[done[-1]]}
    return broken("turn.regular-used", rules, "one regular action a turn", got, TITLES[do], **facts)


def _is_old_wrestler(scene: Scene) -> bool:
    actor = scene.actor
    return scene.state.rulings.wrestling_double_legacy and actor.is_healthy and actor.level("wrestling") > 0


def _once_forbids(scene: Scene) -> Names:
    """The unrepeatable acts that are spent whoever the target is (ruling A03). Rule: `act.unrepeatable`."""
    if not scene.actor.used or scene.state.rulings.unrepeatable_scope != "actor":
        return _NONE
    return frozenset(do for do, _ in scene.actor.used)


def is_spent(scene: Scene, do: str, target: str) -> bool:
    """Whether an unrepeatable action is spent, at all or against that target (ruling A03). Rule: `act.unrepeatable`."""
    is_any = scene.state.rulings.unrepeatable_scope == "actor"
    return any(used == do and (is_any or against == target) for used, against in scene.actor.used)


def once_problems(scene: Scene, do: str, target: str = "") -> list[Problem]:
    """Why an unrepeatable action is spent, at all or against a target (ruling A03). Rule: `act.unrepeatable`."""
    rule, name = "act.unrepeatable", scene.actor.name
    if target and scene.state.rulings.unrepeatable_scope != "actor":
        expected = "each unrepeatable action once against a target in an encounter"
        facts = {"actor": name, "action": TITLES[do], "target": target}
        return broken("turn.once-against-target", rule, expected, f"{name} again", TITLES[do], **facts)
    expected = "each unrepeatable action once in an encounter"
    return broken("turn.once-used", rule, expected, f"{name} again", TITLES[do], actor=name, action=TITLES[do])


@dataclass(frozen=True, slots=True)
class OwnBar:
    """What one action alone asks for, whoever its target is: whether it is missing, and what to say then."""

    stands: Callable[[Scene], bool]
    why: Callable[[Scene], list[Problem]]


@dataclass(frozen=True, slots=True)
class TargetBar:
    """One reason that may keep acts from a target: which acts, whether it does, and why, in words."""

    names: Names
    stands: Callable[[Scene, str, Fighter], bool]
    why: Callable[[Scene, str, Fighter], list[Problem]]


def off_map_problems(actor: Fighter, got: str, where: str) -> list[Problem]:
    """Build the problem of an actor off the map who does not escape. Rule: `grid.escape.exit`."""
    expected = "an escape from a character off the board"
    return broken("exit.escape-only", "grid.escape.exit", expected, got, where, actor=actor.name)


def must_evade_problems(rules: str, got: str, actor: Fighter, where: str) -> list[Problem]:
    """Build the problems of a panicked actor whose turn can't end yet. Rule: `cond.panicked`."""
    expected = "an evade or an escape from a panicked character"
    return broken("turn.must-evade", rules, expected, got, where, actor=actor.name)


BARS = (
    Bar(lambda at: _NOT_ABSENT if is_absent(at.actor) else _NONE, lambda at, do: absence_problems(at.actor, do)),
    Bar(
        lambda at: _NOT_OFF if at.state.is_off(at.actor) else _NONE,
        lambda at, do: off_map_problems(at.actor, TITLES[do], TITLES[do]),
    ),
    Bar(lambda at: _NOT_DELAYED if at.actor.delays else _NONE, lambda at, do: delay_problems(at.actor, do)),
    Bar(
        lambda at: _NOT_PANICKED if at.actor.panicked_until else _NONE,
        lambda at, do: broken(
            "actor.panicked",
            "cond.panicked",
            "an evade or an escape from a panicked character",
            f"{at.actor.name}, panicked",
            TITLES[do],
            actor=at.actor.name,
        ),
    ),
    Bar(lambda at: _NOT_FROM_COVER if at.actor.in_cover else _NONE, _cover_problems),
    Bar(regular_forbids, regular_problems),
    Bar(lambda at: at.actor.numbers.beyond, lambda at, do: requirement_problems(at.actor, do)),
    Bar(
        lambda at: BONUS if at.state.ledger.bonus else _NONE,
        lambda at, do: broken(
            "turn.bonus-used",
            "act.bonus",
            "one bonus action a turn",
            f"a second one after {TITLES[at.state.ledger.bonus]}",
            TITLES[do],
            actor=at.actor.name,
            done=TITLES[at.state.ledger.bonus],
        ),
    ),
    Bar(_once_forbids, once_problems),
)
"""What may forbid acts of a turn whoever their target is, in the order told. A delay goes before panic (ruling A07).

Rules: `tough.none`, `hp.incapacitated`, `grid.escape.exit`, `cond.delayed`, `cond.panicked`, `act.cover.forbidden`,
`act.regular`, `roll.ability-required`, `act.bonus`, `act.unrepeatable`.
"""


def must_evade(scene: Scene) -> bool:
    """Whether panic leaves the actor no way but to evade or escape before its turn may end (rulings A07, A08).

    Off the board no one can evade any more. Rules: `cond.panicked`, `grid.escape.exit`.
    """
    actor = scene.actor
    is_gone = actor.is_down or actor.is_away or scene.state.is_off(actor)
    return actor.is_panicked and not (is_gone or actor.delays or scene.state.ledger.regular)
