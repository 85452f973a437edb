"""What a board adds to a turn: moves, blasts at spaces, putting aside whom one holds, and who may interrupt."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from scratch_core.actions import Action, Scene, agility, interrupts, may_uncover, openings, uncovered
from scratch_core.actions.action import EVERY
from scratch_core.actions.choosing import Uses, best, options, requirement_problems
from scratch_core.actions.figures_now import roll_parts
from scratch_core.actions.interrupting import Moment, interruptions
from scratch_core.actions.legality import actor_problems
from scratch_core.actions.moving import board_actions, holder_problems, mover_problems
from scratch_core.actions.places import caught, visible
from scratch_core.actions.words import listed
from scratch_core.basic import SCRATCH_ON_BOARD
from scratch_core.board import Space, place
from scratch_core.calculators.board.stage import Stage, reach_of
from scratch_core.calculators.fight.offers import (
    VERBS,
    Barred,
    Choice,
    Offer,
    Turn,
    best_first,
    damage_in_twenty,
    grouped,
    keys_of,
    offer_of,
    percent,
    with_words,
)
from scratch_core.calculators.fight.offers import Way as Choosing
from scratch_core.cards import BLAST, EVADE, INTERRUPT, MOVE, REPOSITION, SETTLE
from scratch_core.dice.checks import face_needed
from scratch_core.encounter import entering
from scratch_core.encounter import replay as apply_all
from scratch_core.errors import Problem
from scratch_core.state import Exposure, Fighter, State

FAR = tuple(do for do, card in EVERY.items() if card.exposes == "far" and not card.targets.spaces)
"""The attacks on one target that expose their actor where the target is far."""


@dataclass(frozen=True, slots=True)
class Answerer:
    """Somebody who may interrupt, when in words, and the abilities to choose from, the best first.

    `in_cover`: it leaves its cover for that.
    """

    id: str
    name: str
    when: str
    offers: tuple[Offer, ...]
    in_cover: bool = False


@dataclass(frozen=True, slots=True)
class Question:
    """An act that waits: what it is in words, who may interrupt it now, who later, and the button for nobody.

    `faces` are those thrown for the act already, "" for none.
    """

    words: str
    who: str
    now: tuple[Answerer, ...]
    later: tuple[Answerer, ...]
    nobody: Offer
    faces: str = ""

    @property
    def keys(self) -> Mapping[str, str]:
        """The key of each interrupt that is open now, by its step."""
        return keys_of(offer.step for each in self.now for offer in each.offers)


def scene_of(state: State, actor: str) -> Scene:
    """The scene in which somebody acts, its turn having begun."""
    events, _ = entering(state, actor)
    entered = apply_all(state, events)
    return Scene(entered, entered.fighter(actor))


def turn_on_board(state: State, turn: Turn) -> tuple[Turn, Stage]:
    """A turn's offers with those that take a board, each with whom it exposes to, and how far its actor comes.

    Rules: `grid.move.once`, `grid.blast.target`, `grid.hold.reposition`, `grid.interrupt.trigger.move`,
    `grid.interrupt.trigger.evade`, `grid.interrupt.trigger.far-attack`.
    """
    scene = scene_of(state, turn.actor)
    reach = reach_of(scene)
    choices = [replace(each, ways=_exposing(scene, each)) for each in turn.choices]
    barred: list[tuple[str, Problem]] = []
    extra = (
        (REPOSITION.do, tuple(_repositions(scene)), holder_problems),
        (MOVE.do, tuple(_moves(scene, reach)), mover_problems),
        (
            BLAST.do,
            _blasts(scene),
            lambda each: actor_problems(each, BLAST.do) or requirement_problems(each.actor, BLAST.do),
        ),
    )
    added = []
    for do, choosing, problems in extra:
        if choosing:
            summary = EVERY[do]
            added.append(Choice(do, VERBS[do], summary.rule, summary.effect, summary.kind, choosing))
        else:
            barred.append((do, (problems(scene) or [_nowhere(do)])[0]))
    closed = (*turn.barred, *grouped(barred))
    made = replace(turn, choices=best_first([*added, *choices]), barred=_merged(closed))
    is_aiming = any(each.do in (*FAR, BLAST.do) for each in made.choices)
    return made, reach if is_aiming else replace(reach, seen=None)


def _nowhere(do: str) -> Problem:
    rule = EVERY[do].rule
    return Problem(rule, "a space to reach", "none", "act", rule)


def _merged(barred: Sequence[Barred]) -> tuple[Barred, ...]:
    """The same reason once."""
    found: dict[tuple[str | None, str, str], Barred] = {}
    for each in barred:
        key = (each.problem.rule, each.problem.expected, each.problem.got)
        known = found.get(key)
        found[key] = Barred((*known.titles, *each.titles), known.problem) if known else each
    return tuple(found.values())


# Moving


def _moves(scene: Scene, reach: Stage) -> Iterator[Choosing]:
    """Every space to move to, those of one cost together. Rules: `grid.move.base`, `grid.escape.exit`."""
    board = scene.state.board
    ordered = sorted(reach.ways.items(), key=lambda pair: (pair[1].cost, pair[0][1], pair[0][0]))
    for cost, pairs in groupby(ordered, key=lambda pair: pair[1].cost):
        offers = []
        for space, way in pairs:
            action = Action(scene.actor.id, MOVE.do, path=way.path)
            label = place(space) if board and board.contains(space) else f"off the edge at {place(space)}"
            offers.append(
                replace(
                    offer_of(action, label),
                    space=place(space),
                    exposes=_exposed_to(reach.exposed.get(space, ())),
                )
            )
        yield Choosing(f"for {cost}", tuple(offers))


def _exposed_to(moments: Iterable[Moment]) -> str:
    return _names(who for moment in moments for who in moment.who)


def _names(who: Iterable[Fighter]) -> str:
    names = list(dict.fromkeys(each.name for each in who))
    return listed(names) if names else ""


def _repositions(scene: Scene) -> Iterator[Choosing]:
    """Swapping places with whom one holds, or putting it 1 space further. Rule: `grid.hold.reposition`."""
    if holder_problems(scene):
        return
    target = scene.state.fighter(scene.state.ledger.held)
    found = [each for each in board_actions(scene) if each.do == REPOSITION.do]
    offers = tuple(
        replace(offer_of(each, f"to {place(each.space)}" if each.space else "swap places"), space=_space(each))
        for each in found
    )
    if offers:
        yield Choosing(target.name, offers)


def _space(action: Action) -> str:
    return place(action.space) if action.space else ""


# Aiming


def _blasts(scene: Scene) -> tuple[Choosing, ...]:
    """For each set of characters that a blast can catch the space that exposes least, then the nearest one.

    Rules: `grid.blast.target`, `grid.blast.area`, `grid.interrupt.trigger.far-attack`.
    """
    if actor_problems(scene, BLAST.do):
        return ()
    state, actor = scene.state, scene.actor
    board, clear = state.board, visible(scene)
    if board is None or clear is None or actor.at is None:
        return ()
    sets: dict[tuple[str, ...], tuple[bool, int, Space]] = {}
    for space in board.spaces:
        who = caught(state, space) if space in clear else ()
        if who:
            key = (bool(_exposes(scene, BLAST.do, (), space)), board.distance(actor.at, space), space)
            sets[who] = min(sets.get(who, key), key)
    spaces = [space for _, (*_, space) in sorted(sets.items(), key=lambda pair: (-_gain(scene, pair[0]), pair[1]))]
    choices = options(actor, BLAST.do, state.rulings)
    first = best(actor, BLAST.do, state.rulings)
    return tuple(
        Choosing(with_words(actor, uses), tuple(blast_at(scene, uses, space) for space in spaces))
        for uses in sorted(choices, key=lambda each: each != first)
        if spaces
    )


def _gain(scene: Scene, who: Sequence[str]) -> int:
    fighters = [scene.state.fighter(each) for each in who]
    return sum(-2 if each.side == scene.actor.side else 1 for each in fighters if not each.is_down)


def blast_at(scene: Scene, uses: Uses, space: Space) -> Offer:
    """A blast at a space: whom it catches, the chance for each, and whom it exposes its actor to."""
    action = Action(scene.actor.id, BLAST.do, uses=uses, space=space)
    fighters = [scene.state.fighter(each) for each in caught(scene.state, space)]
    modifier = sum(part.value for part in roll_parts(scene.actor, BLAST.do, uses, scene.state.rulings))
    chances = [percent(modifier, agility(each).value)[0] for each in fighters]
    damage, hits = _blast_worth(scene, modifier, fighters)
    label = f"{_names(fighters) or 'nobody'}, at {place(space)}"
    is_likely = any(each.side != scene.actor.side and not each.is_down for each in fighters) and all(
        each.side != scene.actor.side for each in fighters
    )
    made = offer_of(action, label, ", ".join(chances), is_likely=is_likely)
    return replace(made, space=place(space), exposes=_exposes(scene, BLAST.do, (), space), damage=damage, hits=hits)


def _blast_worth(scene: Scene, modifier: int, fighters: Sequence[Fighter]) -> tuple[int, int]:
    """What twenty blasts take from all of them, and how many of their rolls hit. Rule: `grid.blast.area`."""
    damage = BLAST.damage_of(scene.actor.is_injured)
    least = [(each, face_needed(modifier, agility(each).value)) for each in fighters]
    taken = sum(damage_in_twenty(damage, face, BLAST.on_20, each.hp) for each, face in least)
    return taken, sum(21 - face for _, face in least)


def _exposing(scene: Scene, choice: Choice) -> tuple[Choosing, ...]:
    """The same offers, with whom each exposes its actor to."""
    if choice.do not in (*FAR, EVADE.do):
        return choice.ways
    known: dict[tuple[str, ...], str] = {}

    def told(offer: Offer) -> Offer:
        if offer.targets not in known:
            known[offer.targets] = _exposes(scene, choice.do, offer.targets)
        return replace(offer, exposes=known[offer.targets])

    return tuple(replace(way, offers=tuple(map(told, way.offers))) for way in choice.ways)


def _exposes(scene: Scene, do: str, targets: tuple[str, ...], space: Space | None = None) -> str:
    """The names of those who may interrupt an act that is no move.

    Rules: `grid.interrupt.trigger.evade`, `grid.interrupt.trigger.far-attack`.
    """
    return _exposed_to(interruptions(scene, Action(scene.actor.id, do, targets, space=space)))


# Interrupting


def question_of(state: State, faces: str = "") -> Question | None:
    """What waits to be answered: who may interrupt, in order, also out of cover, and that nobody does.

    Rules: `grid.interrupt.what`, `grid.interrupt.roll`, `grid.interrupt.once`, `act.cover.stay`.
    """
    exposure = state.exposure
    if exposure is None:
        return None
    due = SCRATCH_ON_BOARD.due(state)
    assert due is not None
    leavers = [each.id for each in state.fighters if may_uncover(state, each.id)]
    state = uncovered(state, leavers)
    target = state.fighter(exposure.who)
    moments: dict[str, list[int]] = {}
    for moment, who in openings(state, exposure):
        moments.setdefault(who.id, []).append(moment)
    answerers = []
    for (who_id, when), actions in groupby(interrupts(state), key=lambda action: (action.actor, action.when)):
        who = state.fighter(who_id)
        moment = moments[who_id][0] if when is None else when
        answerer = _answerer(state, who, target, exposure, moment, list(actions))
        answerers.append((moment, replace(answerer, in_cover=who_id in leavers)))
    first = answerers[0][0] if answerers else 0
    now = tuple(each for moment, each in answerers if moment == first)
    later = tuple(each for moment, each in answerers if moment != first)
    nobody = offer_of(Action(target.id, SETTLE.do), "Nobody, go on" if later else "Nobody interrupts")
    return Question(due.question, target.id, now, later, nobody, faces)


def _answerer(  # noqa: PLR0913, PLR0917 -- who, whom, when, with what
    state: State, who: Fighter, target: Fighter, exposure: Exposure, moment: int, actions: Sequence[Action]
) -> Answerer:
    first = best(who, INTERRUPT.do, state.rulings)
    defence = agility(target).value
    offers = []
    for action in sorted(actions, key=lambda each: each.uses != first):
        modifier = sum(part.value for part in roll_parts(who, INTERRUPT.do, action.uses or (), state.rulings))
        offers.append(offer_of(action, with_words(who, action.uses or ()), *percent(modifier, defence)))
    return Answerer(who.id, who.name, _when(state, exposure, moment), tuple(offers))


def _when(state: State, exposure: Exposure, moment: int) -> str:
    """When somebody may interrupt a move; "" where there is but one moment. Rule: `grid.interrupt.trigger.move`."""
    if not exposure.is_move:
        return ""
    at = state.fighter(exposure.who).at
    space = exposure.path[moment - 1] if moment > exposure.walked else at
    where = f", at {place(space)}" if space else ""
    return f"before the first step{where}" if not moment else f"after {moment} spaces{where}"
