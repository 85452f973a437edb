"""What whoever is on turn may do, ready to be printed: every legal action once, and why the others are not open."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from scratch_core.actions import ROLLING, Action, Scene, defence
from scratch_core.actions.action import IN_TURN, SUMMARIES
from scratch_core.actions.attacks import hurts, target_problems
from scratch_core.actions.choosing import Uses, best, options, requirement_problems, uses_of
from scratch_core.actions.figures_now import roll_parts
from scratch_core.actions.legality import actor_problems
from scratch_core.actions.support import HEALING, craft_actions, is_locked, patient_problems
from scratch_core.actions.words import listed
from scratch_core.basic import candidates
from scratch_core.cards import CARDS, COUNTER_HOLD, CRAFT, END_TURN, HOLD, MOVE, NOTHING
from scratch_core.characters import HURRY_DIFFICULTY, attack_damage
from scratch_core.dice.checks import face_needed
from scratch_core.encounter import entering
from scratch_core.encounter import replay as apply_all
from scratch_core.errors import Problem
from scratch_core.state import Fighter, State

MOST_SETS = 20
"""As many sets of targets as have each a button; beyond that the targets are picked one after the other."""

MOST_OFFERS = 300
"""As many actions as are shown at once; whoever comes later in the order is a button away."""

MOST_CRAFTERS_COMPANY = 30
"""The largest company for which crafted bonuses are listed."""

VERBS = {do: card.button or card.title for do, card in CARDS.items()}
"""What stands on the buttons: the rulebook's names."""

KEYS = "123456789"
"""The keys that press what is offered, in its order."""

FOLDED = (CRAFT.do, MOVE.do)
"""The actions with so many buttons that they are looked up, not pressed by a key."""

SMALL = tuple(do for do in IN_TURN if not CARDS[do].names_target and not CARDS[do].adds)
"""The actions without a target and without a choice of abilities."""


@dataclass(frozen=True, slots=True)
class Offer:
    """One legal action: what its button says, the step that it sends, and the chance of each of its rolls, in words.

    `is_likely`: an attack on somebody of another side who still stands, or help for somebody of the same side. On a
    board, `space` is where it leads or is aimed at, and `exposes` names those who may then interrupt. `damage` is what
    an attack takes in twenty tries, `hits` how many of those succeed, of all its rolls together. `effect` says what an
    action does that has no line of its own.
    """

    do: str
    actor: str
    targets: tuple[str, ...]
    label: str
    step: str
    chance: str = ""
    faces: str = ""
    is_likely: bool = True
    space: str = ""
    exposes: str = ""
    damage: int = 0
    hits: int = 0
    effect: str = ""

    @property
    def worth(self) -> tuple[int, int]:
        """What is compared between attacks: expected damage, then chance."""
        return self.damage, self.hits


@dataclass(frozen=True, slots=True)
class Pick:
    """A button that picks one more target: what it says, and who picks, followed by the targets picked with it."""

    label: str
    picked: str


@dataclass(frozen=True, slots=True)
class Way:
    """One choice of abilities for an action, with its targets."""

    label: str
    offers: tuple[Offer, ...]
    picks: tuple[Pick, ...] = ()


@dataclass(frozen=True, slots=True)
class Choice:
    """An action that is open. The first way is the best one."""

    do: str
    verb: str
    rule: str
    effect: str
    kind: str
    ways: tuple[Way, ...]

    @property
    def is_attack(self) -> bool:
        """Whether it is an attack."""
        return CARDS[self.do].is_attack

    @property
    def is_likely(self) -> bool:
        """Whether any of its targets is one that anybody would choose."""
        return any(offer.is_likely for way in self.ways for offer in way.offers)

    @property
    def front(self) -> tuple[Offer, ...]:
        """What is likeliest wanted: the best way with its likely targets; everything, where that is nothing."""
        likely = tuple(offer for offer in self.ways[0].offers if offer.is_likely)
        return likely or self.ways[0].offers

    @property
    def rest(self) -> tuple[Way, ...]:
        """All the others, to be folded away."""
        shown = self.front
        first = replace(self.ways[0], offers=tuple(offer for offer in self.ways[0].offers if offer not in shown))
        return tuple(way for way in (first, *self.ways[1:]) if way.offers or way.picks)

    @property
    def worth(self) -> tuple[int, int]:
        """Expected damage and chance on the likeliest target; nothing for what isn't rolled."""
        return self.front[0].worth if self.front else (0, 0)


@dataclass(frozen=True, slots=True)
class Barred:
    """Actions that are not open, and why."""

    titles: tuple[str, ...]
    problem: Problem


@dataclass(frozen=True, slots=True)
class Turn:
    """Somebody who may act now. `is_on` says that the turn has begun, `is_passed` that nothing was done with it."""

    actor: str
    name: str
    is_on: bool
    choices: tuple[Choice, ...]
    small: tuple[Offer, ...]
    barred: tuple[Barred, ...] = ()
    is_passed: bool = False

    @property
    def end(self) -> Offer | None:
        """The turn's end."""
        return next((offer for offer in self.small if offer.do == END_TURN.do), None)

    @property
    def acts(self) -> tuple[Offer, ...]:
        """The small actions but for the turn's end, and without *Nothing* where that is all the turn's end would be.

        That is so once nothing was done, and where there is nothing else to do. Rule: `turn.do-nothing`.
        """
        acts = tuple(offer for offer in self.small if offer.do != END_TURN.do)
        others = tuple(offer for offer in acts if offer.do != NOTHING.do)
        is_vain = self.is_passed or not (others or self.choices)
        return others if self.end and is_vain else acts

    @property
    def keys(self) -> Mapping[str, str]:
        """The key of each act that stands unfolded on the page, by its step."""
        aimed = (offer for choice in self.choices if choice.do not in FOLDED for offer in choice.front)
        return keys_of(offer.step for offer in (*aimed, *self.acts))

    @property
    def count(self) -> int:
        """How many actions are offered."""
        return len(self.small) + sum(len(way.offers) for choice in self.choices for way in choice.ways)


def keys_of(steps: Iterable[str]) -> dict[str, str]:
    """A key for each of the first nine steps that are offered."""
    return dict(zip(dict.fromkeys(steps), KEYS, strict=False))


def able(state: State) -> tuple[str, ...]:
    """Whose turn it is, or whose may begin; outside an encounter, who could help somebody."""
    if state.phase == "running":
        return candidates(state)
    return tuple(each.id for each in state.fighters if _may_help(each))


def idle_offers(state: State) -> tuple[Offer, ...]:
    """The turns of those down or gone, which may be ended between turns, and need not. Rule: `hp.incapacitated`."""
    if state.phase != "running" or not state.turn_over:
        return ()
    out = [each for each in state.fighters if (each.is_down or each.is_away) and not entering(state, each.id)[1]]
    return tuple(offer_of(Action(each.id, END_TURN.do), each.name) for each in out)


def _may_help(fighter: Fighter) -> bool:
    is_there = not fighter.is_down and not fighter.is_away
    return is_there and bool(fighter.level("healing") or fighter.level("craftsmanship"))


def turn_of(state: State, actor: str, picked: Sequence[str] = ()) -> Turn:
    """Everything that somebody may do now, and why the rest is closed. Rule: `act.basic.available`."""
    if state.phase != "running":
        return _peace(state, actor)
    events, _ = entering(state, actor)
    entered = apply_all(state, events)
    scene = Scene(entered, entered.fighter(actor))
    choices, small, barred = [], [], []
    for do in _in_turn(entered):
        closed = actor_problems(scene, do)
        ways = () if closed else tuple(_ways(scene, do, picked))
        if not any(way.offers or way.picks for way in ways):
            barred.append((do, (closed or _no_target(scene, do))[0]))
        elif do in SMALL:
            small += [offer for way in ways for offer in way.offers]
        else:
            choices.append(_choice(do, ways))
    is_on = not state.turn_over
    is_passed = NOTHING.do in entered.ledger.regular
    return Turn(actor, scene.actor.name, is_on, best_first(choices), tuple(small), grouped(barred), is_passed)


def best_first(choices: Sequence[Choice]) -> tuple[Choice, ...]:
    """Attacks by expected damage on the likeliest target, then by chance; the rest after them as it stood.

    An attack that would hit nobody but friends, or its own actor, comes last.
    """
    attacks = [choice for choice in choices if choice.is_attack]
    sought = sorted((each for each in attacks if each.is_likely), key=lambda choice: choice.worth, reverse=True)
    rest = [choice for choice in choices if not choice.is_attack]
    return (*sought, *rest, *(each for each in attacks if not each.is_likely))


def _in_turn(state: State) -> Iterator[str]:
    """The actions of a turn, but for those that need a space where there is a board: they are aimed at one."""
    for do in IN_TURN:
        if state.board is None or not CARDS[do].targets.spaces:
            yield do


def _choice(do: str, ways: tuple[Way, ...]) -> Choice:
    summary = SUMMARIES[do]
    return Choice(do, VERBS[do], summary.rule, summary.effect, summary.kind, ways)


def crafting_turns(state: State) -> tuple[Turn, ...]:
    """What crafters may do before the first turn. Rule: `craft.encounter-lock`."""
    if state.phase != "running" or is_locked(state):
        return ()
    crafters = [each for each in state.fighters if each.level("craftsmanship")]
    turns = (Turn(each.id, each.name, False, tuple(_crafts(state, each.id)), ()) for each in crafters)
    return tuple(turn for turn in turns if turn.choices)


def _peace(state: State, actor: str) -> Turn:
    """Healing and crafted bonuses, outside an encounter. Rules: `act.heal`, `craft.encounter-lock`."""
    scene = Scene(state, state.fighter(actor))
    choices = []
    for do in HEALING:
        ways = () if actor_problems(scene, do) else tuple(_ways(scene, do, ()))
        if any(way.offers for way in ways):
            choices.append(_choice(do, ways))
    choices += _crafts(state, actor)
    return Turn(actor, scene.actor.name, False, tuple(choices), ())


def _crafts(state: State, actor: str) -> list[Choice]:
    """Bonuses to craft, a way for each companion. Rules: `craft.bonus`, `craft.hurry`, `craft.duration`."""
    who = state.fighter(actor)
    if not who.level("craftsmanship") or len(state.fighters) > MOST_CRAFTERS_COMPANY:
        return []
    offers: dict[str, list[Offer]] = {}
    for action in craft_actions(state, who):
        label = f"{action.ability}{_how(action)}"
        chance, faces = "", ""
        if action.hurry:
            chance, faces = percent(who.level("craftsmanship"), HURRY_DIFFICULTY)
        target = action.targets[0]
        offers.setdefault(target, []).append(offer_of(action, label, chance, faces))
    if not offers:
        return []
    ways = tuple(Way(f"for {state.fighter(target).name}", tuple(found)) for target, found in offers.items())
    effect = "1 more of an ability that is there, for as long as it is left in place."
    return [Choice(CRAFT.do, "Craft a bonus", CRAFT.rule, effect, "outside turns", ways)]


def _how(action: Action) -> str:
    """How a bonus is crafted, after its ability."""
    if action.hurry:
        return ", in a hurry"
    return "" if action.add else ", take away"


def offer_of(action: Action, label: str, chance: str = "", faces: str = "", *, is_likely: bool = True) -> Offer:
    """An action as a button."""
    step = json.dumps(action.step(), ensure_ascii=False, separators=(",", ":"))
    return Offer(action.do, action.actor, action.targets, label, step, chance, faces, is_likely)


def _ways(scene: Scene, do: str, picked: Sequence[str]) -> Iterator[Way]:
    """The choices of abilities, the best first, each with its targets."""
    actor, rulings = scene.actor, scene.state.rulings
    if do in SMALL:
        effect = SUMMARIES[do].effect if do in SUMMARIES else ""
        yield Way("", (replace(offer_of(Action(actor.id, do), VERBS[do]), effect=effect),))
        return
    choices: list[Uses | None] = [None]
    if SUMMARIES[do].adds:
        choices = [*options(actor, do, rulings)]
        first = best(actor, do, rulings)
        choices.sort(key=lambda uses: uses != first)
    if not SUMMARIES[do].names_target:
        offers = [offer_of(Action(actor.id, do, (), uses), with_words(actor, uses)) for uses in choices]
        yield Way("", tuple(offers))
        return
    single = patient_problems if do in HEALING else target_problems
    open_to = [target for target in scene.state.fighters if not single(scene, do, target)]
    for uses in choices:
        offers, picks = _aimed(scene, do, uses, open_to, picked)
        if not picks:
            offers.sort(key=lambda offer: offer.worth, reverse=True)
        yield Way(with_words(actor, uses), tuple(offers), tuple(picks))


def _aimed(
    scene: Scene, do: str, uses: Uses | None, open_to: Sequence[Fighter], picked: Sequence[str]
) -> tuple[list[Offer], list[Pick]]:
    """A button for each target, or set of targets; where those are many, the targets are picked one by one."""
    allowed = SUMMARIES[do].targets
    if allowed.most == 1:
        return [_at(scene, do, uses, (target,)) for target in open_to], []
    sets = [tuple(open_to[place] for place in chosen) for chosen in allowed.sets_of(min(len(open_to), MOST_SETS + 1))]
    if len(sets) <= MOST_SETS:
        return [_at(scene, do, uses, chosen) for chosen in sets], []
    places = {target.id: place for place, target in enumerate(open_to)}
    chosen = [open_to[places[each]] for each in picked if each in places][: allowed.most]
    offers = [_at(scene, do, uses, (target,) * allowed.least) for target in open_to]
    if len({each.id for each in chosen}) == len(chosen) > 1:
        ordered = tuple(sorted(chosen, key=lambda each: places[each.id]))
        offers.insert(0, _at(scene, do, uses, ordered))
    return offers, list(_picks(scene.actor, chosen, open_to)) if len(chosen) < allowed.most else []


def _picks(actor: Fighter, chosen: Sequence[Fighter], open_to: Sequence[Fighter]) -> Iterator[Pick]:
    """A button for each further target, after those that are chosen."""
    names = ", ".join(each.name for each in chosen)
    already = [each.id for each in chosen]
    for target in open_to:
        if target.id not in already:
            label = f"{names}, {target.name}" if names else f"{target.name} and …"
            yield Pick(label, " ".join((actor.id, *already, target.id)))


def _at(scene: Scene, do: str, uses: Uses | None, targets: Sequence[Fighter]) -> Offer:
    actor = scene.actor
    action = Action(actor.id, do, tuple(target.id for target in targets), uses)
    likely = all(_is_likely(actor, do, target) for target in targets)
    is_same = len(targets) == 1 or targets[0].id == targets[-1].id
    label = listed([target.name for target in targets])
    if is_same:
        label = targets[0].name + (" twice" if len(targets) > 1 else "")
    offer = offer_of(action, label, is_likely=likely)
    if action.do not in ROLLING:
        return offer
    least = [_least_face(scene, action, target) for target in targets]
    words = [_in_words(face) for face in (least[:1] if is_same else least)]
    made = replace(offer, chance=", ".join(each for each, _ in words), faces="; ".join(each for _, each in words))
    if do in HEALING:
        return made
    pairs = list(zip(targets, least, strict=True))
    damage = sum(_expected(scene, do, uses or (), target, face) for target, face in pairs)
    return replace(made, damage=damage, hits=sum(21 - face for face in least))


def _is_likely(actor: Fighter, do: str, target: Fighter) -> bool:
    """Whether that target is one that anybody would choose: a friend to heal, an enemy who stands to attack."""
    is_friend = target.side == actor.side
    return is_friend if do in HEALING else not is_friend and not target.is_down


def _least_face(scene: Scene, action: Action, target: Fighter) -> int:
    """The least face with which a roll succeeds. Rules: `roll.success`, `roll.beyond-reach`."""
    if action.do in HEALING:
        card = CARDS[action.do]
        parts, difficulty = roll_parts(scene.actor, action.do, card.adds, scene.state.rulings), card.difficulty
    else:
        uses = uses_of(scene.actor, action, scene.state.rulings)
        parts = roll_parts(scene.actor, action.do, uses, scene.state.rulings)
        difficulty = defence(action.do, target).value
    return face_needed(sum(part.value for part in parts), difficulty)


def _expected(scene: Scene, do: str, uses: Uses, target: Fighter, face: int) -> int:
    """What twenty tries of an attack take from a target, no try more than it has. Rules: `hp.damage`, `hp.floor`."""
    card = CARDS[do]
    damage = card.damage_of(scene.actor.is_injured)
    if do == COUNTER_HOLD.do or (do == HOLD.do and not hurts(scene, uses)):
        damage = 0
    return damage_in_twenty(damage, face, card.on_20, target.hp)


@cache
def damage_in_twenty(damage: int, face: int, on_20: int | None, most: int) -> int:
    """What an attack takes whose every face falls once, `face` being the least that hits, each time `most` at most."""
    return sum(min(most, attack_damage(damage, each, on_20).value) for each in range(face, 21))


def percent(modifier: int, difficulty: int) -> tuple[str, str]:
    """The chance of a roll, and the face that it takes. Rules: `roll.success`, `roll.beyond-reach`."""
    return _in_words(face_needed(modifier, difficulty))


def _in_words(face: int) -> tuple[str, str]:
    return f"{5 * (21 - face)}%", _faces(face)


def _faces(least: int) -> str:
    if least == 1:
        return "any face"
    return f"{least} or more" if least < 20 else "20"


def with_words(actor: Fighter, uses: Uses | None) -> str:
    """The abilities added, with their levels, in words."""
    if uses is None:
        return ""
    return f"with {' and '.join(f'{name} {actor.level(name)}' for name in uses)}" if uses else "with nothing added"


def _no_target(scene: Scene, do: str) -> list[Problem]:
    """Why an action that is open has nobody to aim at."""
    found = requirement_problems(scene.actor, do)
    if found:
        return found
    single = patient_problems if do in HEALING else target_problems
    others = [target for target in scene.state.fighters if target.id != scene.actor.id]
    for target in others:
        problems = single(scene, do, target)
        if problems:
            return problems
    rule = SUMMARIES[do].rule
    return [Problem(rule, "somebody to aim at", "nobody", "act", rule)]


def grouped(barred: Sequence[tuple[str, Problem]]) -> tuple[Barred, ...]:
    """The same reason once, with everything that it forbids."""
    found: dict[tuple[str | None, str, str], tuple[list[str], Problem]] = {}
    for do, problem in barred:
        key = (problem.rule, problem.expected, problem.got)
        found.setdefault(key, ([], problem))[0].append(VERBS[do])
    return tuple(Barred(tuple(titles), problem) for titles, problem in found.values())
