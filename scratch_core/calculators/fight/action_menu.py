"""What may be done now, ready to be printed: every legal act once, and why the others are not open.

What is offered is the same in every order of turns; what is found here are the turns of the basic rules.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from itertools import chain

from scratch_core.calculators.shared.problem_sentences import problem_sentence
from scratch_core.characters import HURRY_DIFFICULTY
from scratch_core.dice import face_needed
from scratch_core.encounter.actions import (
    HEALING,
    ROLL_ACTIONS,
    TURN_ACTIONS,
    Action,
    TurnContext,
    Uses,
    actor_problems,
    choose_best_abilities,
    is_locked,
    list_ability_options,
    list_craft_actions,
    list_roll_parts,
    patient_problems,
    requirement_problems,
    target_problems,
    total_over_faces,
    uses_of,
)
from scratch_core.encounter.engine import apply_events, plan_turn_start
from scratch_core.encounter.narration import list_turn_candidates
from scratch_core.encounter.state import EncounterState, Fighter
from scratch_core.errors import Problem, join_words, rule_problems
from scratch_core.rulebook.action_spec import ONE
from scratch_core.rulebook.actions import ACTION_SPECS, BLAST, CRAFT, END_TURN, MOVE, NOTHING, SECOND_BLOW

MOST_SETS = 20
"""As many sets of targets as are weighed; beyond that each target alone, and those that are chosen."""

MOST_OFFERS = 300
"""As many actions as are shown at once; whoever comes later in the order is a button away."""

MOST_CRAFTERS_COMPANY = 30
"""The largest company for which crafted bonuses are listed."""

VERBS = {do: card.button or card.title for do, card in ACTION_SPECS.items()}
"""What stands on the buttons: the rulebook's names."""

MOST_AIMS = 3
"""As many as one act is aimed at. Rule: `act.blasting`."""

AIMS = ("target", "targets", "at")
"""Where a step says whom or what it is aimed at."""

KEYS = "123456789"
"""The keys that press what is offered, in its order."""

FOLDED = (CRAFT.do, MOVE.do)
"""The actions with so many buttons that they are looked up, not pressed by a key."""

SMALL = tuple(do for do in TURN_ACTIONS if not ACTION_SPECS[do].needs_target and not ACTION_SPECS[do].usable_abilities)
"""The actions without a target and without a choice of abilities."""


@dataclass(frozen=True, slots=True)
class Offer:
    """One legal act: what its button says, the step that it sends, and the chance of each of its rolls, in words.

    `is_likely`: an attack on someone of another side who still stands, or help for someone of the same side. On a
    board, `space` is where it leads or is aimed at, and `exposes` names those who may then interrupt. `damage` is what
    an attack takes in twenty tries, `hits` how many of those succeed, of all its rolls together. `effect` says what an
    action does that has no line of its own. `aloud` is said before its label. `warnings` say what no one would expect
    of it.
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
    aloud: str = ""
    warnings: tuple[str, ...] = ()

    @property
    def worth(self) -> tuple[int, int]:
        """What is compared between attacks: expected damage, then chance."""
        return self.damage, self.hits

    @property
    def bare(self) -> str:
        """The step without whom it is aimed at: that is chosen for every act in one place."""
        return _written({key: value for key, value in json.loads(self.step).items() if key not in AIMS})

    @property
    def aim(self) -> dict[str, object]:
        """Whom or what the step is aimed at, as it says it."""
        return {key: value for key, value in json.loads(self.step).items() if key in AIMS}


@dataclass(frozen=True, slots=True)
class Control:
    """A small field of an act: `tick`, `number`, or `select` with its options, the default first."""

    name: str
    kind: str
    label: str
    options: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Way:
    """One way of doing an act, a choice of abilities for one, with its targets."""

    label: str
    offers: tuple[Offer, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """An act that is open; or that is `closed`, and why. The first way is the best one.

    `is_whole`: all ways stand beside one another, none is likelier. `controls` are small fields that go with it.
    """

    do: str
    verb: str
    rule: str
    effect: str
    kind: str = "regular"
    ways: tuple[Way, ...] = ()
    is_whole: bool = False
    controls: tuple[Control, ...] = ()
    closed: Problem | None = None
    why_closed: str = ""

    @property
    def is_likely(self) -> bool:
        """Whether any of its targets is one that anyone would choose."""
        return any(offer.is_likely for way in self.ways for offer in way.offers)

    @property
    def front(self) -> tuple[Offer, ...]:
        """What is likeliest wanted: the best way with its likely targets; everything, where that is nothing."""
        if self.is_whole:
            return tuple(offer for way in self.ways for offer in way.offers)
        likely = tuple(offer for offer in self.ways[0].offers if offer.is_likely)
        return likely or self.ways[0].offers

    def at(self, aims: Sequence[str]) -> Offer:
        """What its one button does: aimed at those, of one at the last of them; else what is likeliest."""

        def fit(offer: Offer) -> tuple[bool, int, int]:
            met = [aims.index(each) for each in offer.targets if each in aims]
            return (True, 2 * len(met) - len(offer.targets), max(met)) if met else (False, 0, 0)

        return max(self.front, key=fit)

    def besides(self, offer: Offer) -> tuple[Offer, ...]:
        """The same with other abilities."""
        same = (each for way in self.ways for each in way.offers)
        return tuple(
            each for each in same if (each.targets, each.space) == (offer.targets, offer.space) and each != offer
        )

    @property
    def aimless(self) -> Offer | None:
        """The act with no one in particular, of one that is aimed at someone elsewhere; None for no such thing."""
        bare = (offer for offer in self.front if not offer.targets)
        return next((replace(each, step=_written({**json.loads(each.step), "target": ""})) for each in bare), None)

    def stray(self, aims: Sequence[str]) -> Offer | None:
        """What aims at the last of those, where no one would think of that first."""
        here = (each for each in self.ways[0].offers if each.targets == tuple(aims[-1:]) and not each.is_likely)
        return next((each for each in here if each not in self.front), None)

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
class Answerer:
    """Someone who may interrupt, when in words, and the abilities to choose from, the best first.

    `in_cover`: it leaves its cover for that.
    """

    id: str
    name: str
    when: str
    offers: tuple[Offer, ...]
    in_cover: bool = False


@dataclass(frozen=True, slots=True)
class Question:
    """What waits for an answer: whose it is, in words, as it is said aloud, and the answers.

    Of an act that may be interrupted, who may do it `now` and who `later`, and the button for `nobody`; `faces` are
    those thrown for the act already, "" for none. Elsewhere the answers are `choices`.
    """

    words: str
    who: str
    aloud: str
    choices: tuple[Choice, ...] = ()
    now: tuple[Answerer, ...] = ()
    later: tuple[Answerer, ...] = ()
    nobody: Offer | None = None
    faces: str = ""

    @property
    def steps(self) -> Iterator[str]:
        """The answers that are open now."""
        yield from (offer.step for each in self.now for offer in each.offers)
        yield from (offer.step for choice in self.choices for offer in choice.front)


@dataclass(frozen=True, slots=True)
class Turn:
    """Someone who may act now. `is_passed` says that nothing was done with it; `end` is the turn's end, if it has one.

    `small` are the acts without a choice. `aims` are those whom the others are aimed at, the last chosen last;
    `is_chosen`: the reader has chosen them. `uncaught` says which of them a blast on a map can't catch.
    `blast_targets` are the enemies who may be chosen for such a blast, whether it catches them or not.
    """

    actor: str
    name: str
    choices: tuple[Choice, ...]
    small: tuple[Offer, ...] = ()
    barred: tuple[Barred, ...] = ()
    is_passed: bool = False
    end: Offer | None = None
    aims: tuple[str, ...] = ()
    is_chosen: bool = False
    uncaught: str = ""
    blast_targets: frozenset[str] = frozenset()

    @property
    def acts(self) -> tuple[Offer, ...]:
        """The small actions, without *Nothing* where that is all the turn's end would be.

        That is so once nothing was done, and where there is nothing else to do. Rule: `turn.do-nothing`.
        """
        others = tuple(offer for offer in self.small if offer.do != NOTHING.do)
        is_vain = self.is_passed or not (others or self.choices)
        return others if self.end and is_vain else self.small

    @property
    def rows(self) -> tuple[tuple[Choice, Offer], ...]:
        """Each act that is pressed, with what its button does; last what is chosen though no one would think of it."""
        near, _ = self._sorted
        strays = ((choice, choice.stray(self.aims)) for choice, _ in near if self.is_chosen)
        return (*near, *((choice, offer) for choice, offer in strays if offer))

    @property
    def _sorted(self) -> tuple[list[tuple[Choice, Offer]], list[tuple[Choice, Offer]]]:
        """The acts that one is chosen for, with what their buttons would do: those at hand, and the others.

        An act against one's own is at hand where they are aimed at, or no one else is there; help for an enemy where
        there is nothing else.
        """
        aimed = [(each, each.at(self.aims)) for each in self.choices if not (each.is_whole or each.do in FOLDED)]
        likely = [offer.targets for choice, offer in aimed if choice.is_likely]
        near, far = list[tuple[Choice, Offer]](), list[tuple[Choice, Offer]]()
        for choice, offer in aimed:
            is_aimed = offer.targets not in likely and not {*offer.targets}.isdisjoint(self.aims)
            (near if choice.is_likely or is_aimed or not likely else far).append((choice, offer))
        return near, far

    @property
    def folded(self) -> tuple[Choice, ...]:
        """The acts that are looked up, and those of which each way has its button."""
        return tuple(choice for choice in self.choices if choice.is_whole or choice.do in FOLDED)

    @property
    def besides(self) -> tuple[tuple[Choice, Offer], ...]:
        """The same acts with other abilities, then those that are not at hand."""
        same = ((choice, offer) for choice, shown in self.rows for offer in choice.besides(shown))
        return (*same, *((choice, offer) for choice, _ in self._sorted[1] for offer in choice.front))

    def aimed_at(self, aims: Sequence[str], pressed: Sequence[str], unseen: Set[str] = frozenset()) -> Turn:
        """The turn with its acts aimed at those, after others were pressed; at the likeliest where none of them is.

        Those `unseen` are the likeliest only where there is no one else.
        """
        chosen = aims_after(aims, pressed, MOST_AIMS if self.takes_several else 1)
        return replace(self, aims=tuple(each for each in chosen if each in self.aimable) or self._likeliest(unseen))

    def _likeliest(self, unseen: Set[str]) -> tuple[str, ...]:
        first = next((offer.targets for _, offer in self.rows if offer.targets), ())
        if unseen.isdisjoint(first):
            return first
        same = (way for choice, offer in self.rows if offer.targets == first for way in choice.ways)
        others = (each.targets for way in same for each in way.offers if each.targets and each.is_likely)
        return next((each for each in others if unseen.isdisjoint(each)), first)

    @property
    def aimable(self) -> frozenset[str]:
        """All others whom an act may be aimed at."""
        ways = (way for choice, _ in chain(*self._sorted) for way in choice.ways)
        return (
            frozenset(each for way in ways for offer in way.offers for each in offer.targets) - {self.actor}
            | self.blast_targets
        )

    @property
    def takes_several(self) -> bool:
        """Whether an act may be aimed at several at once."""
        return any(choice.do == BLAST.do for choice in self.choices)

    @property
    def aimed(self) -> str:
        """Whom or what each act is aimed at, as a control has it: a press says only what is done."""
        return _written({choice.do: offer.aim for choice, offer in reversed(self.rows)})

    @property
    def steps(self) -> Iterator[str]:
        """The acts that stand unfolded on the page."""
        yield from (offer.step for _, offer in self.rows)
        yield from (offer.step for offer in self.acts)
        yield from (offer.step for choice in self.choices if choice.is_whole for offer in choice.front)

    @property
    def count(self) -> int:
        """How many actions are offered."""
        ends = 1 if self.end else 0
        return ends + len(self.small) + sum(len(way.offers) for choice in self.choices for way in choice.ways)


def aims_after(aims: Sequence[str], pressed: Sequence[str], most: int) -> tuple[str, ...]:
    """Who is aimed at after someone was pressed: of one act the last, of several at most so many, each off again."""
    for each in pressed:
        is_off = each in aims and most > 1
        aims = [*(other for other in aims if other != each), *([] if is_off else [each])][-most:]
    return tuple(aims)


def _written(tree: object) -> str:
    return json.dumps(tree, ensure_ascii=False, separators=(",", ":"))


def keys_of(steps: Iterable[str]) -> dict[str, str]:
    """A key for each of the first nine steps that are offered."""
    return dict(zip(dict.fromkeys(steps), KEYS, strict=False))


def grouped(barred: Iterable[tuple[str, Problem]]) -> tuple[Barred, ...]:
    """The same reason once, with everything that it forbids."""
    found: dict[str, tuple[list[str], Problem]] = {}
    for title, problem in barred:
        found.setdefault(problem_sentence(problem), ([], problem))[0].append(title)
    return tuple(Barred(tuple(titles), problem) for titles, problem in found.values())


# Whose turn


def able(state: EncounterState) -> tuple[str, ...]:
    """Whose turn it is, or whose may begin; outside an encounter, who could help someone."""
    if state.phase == "running":
        return list_turn_candidates(state)
    there = (each for each in state.fighters if not each.is_down and not each.is_away)
    return tuple(each.id for each in there if each.level("healing") or each.level("craftsmanship"))


def idle_offers(state: EncounterState) -> tuple[Offer, ...]:
    """The turns of those down or gone, which may be ended between turns, and need not. Rule: `hp.incapacitated`."""
    if state.phase != "running" or not state.turn_over:
        return ()
    out = [each for each in state.fighters if (each.is_down or each.is_away) and not plan_turn_start(state, each.id)[1]]
    return tuple(offer_of(Action(each.id, END_TURN.do), each.name) for each in out)


def scene_of(state: EncounterState, actor: str) -> TurnContext:
    """The scene in which someone acts: in an encounter its turn has begun."""
    if state.phase == "running":
        state = apply_events(state, plan_turn_start(state, actor)[0])
    return TurnContext(state, state.fighter(actor))


def crafting_turns(state: EncounterState) -> tuple[Turn, ...]:
    """What crafters may do before the first turn. Rule: `craft.encounter-lock`."""
    if state.phase != "running" or is_locked(state):
        return ()
    crafting = ((each, tuple(_crafts(state, each))) for each in state.fighters)
    return tuple(Turn(who.id, who.name, choices) for who, choices in crafting if choices)


# A turn


def choices_of(
    scene: TurnContext, aims: Sequence[str] = ()
) -> tuple[list[Choice], list[Offer], list[tuple[str, Problem]]]:
    """What someone may do now without a space, what of it has no choice, and why the rest is closed.

    Outside an encounter that is healing and crafting. Rules: `act.basic.available`, `act.heal`,
    `craft.encounter-lock`.
    """
    choices, small, barred = list[Choice](), list[Offer](), list[tuple[str, Problem]]()
    for do in TURN_ACTIONS if scene.is_encounter else HEALING:
        if scene.state.board is not None and ACTION_SPECS[do].targets.spaces:
            continue
        closed = actor_problems(scene, do)
        if closed and do == SECOND_BLOW.do:  # nothing that someone would look for
            continue
        ways = () if closed else tuple(_ways(scene, do, aims))
        if not any(way.offers for way in ways):
            barred.append((VERBS[do], (closed or _no_target(scene, do))[0]))
        elif do in SMALL:
            small += ways[0].offers
        else:
            choices.append(choice_of(scene, do, ways))
    if scene.is_encounter:
        return choices, small, barred
    return [*choices, *_crafts(scene.state, scene.actor)], small, []


def choice_of(scene: TurnContext, do: str, ways: tuple[Way, ...]) -> Choice:
    """An action that is open, in the words of its card."""
    card = ACTION_SPECS[do]
    effect = card.effect if scene.state.board is None else card.effect_on_map
    return Choice(do, VERBS[do], card.rule, effect, card.kind, ways)


def best_first(choices: Sequence[Choice]) -> tuple[Choice, ...]:
    """Attacks by expected damage on the likeliest target, then by chance; the rest after them as it stood.

    An attack that would hit no one but friends, or its own actor, comes last.
    """
    attacks = [choice for choice in choices if ACTION_SPECS[choice.do].is_attack]
    sought = sorted((each for each in attacks if each.is_likely), key=lambda choice: choice.worth, reverse=True)
    rest = [choice for choice in choices if choice not in attacks]
    return (*sought, *rest, *(each for each in attacks if not each.is_likely))


def _crafts(state: EncounterState, who: Fighter) -> list[Choice]:
    """Bonuses to craft, a way for each companion. Rules: `craft.bonus`, `craft.hurry`, `craft.duration`."""
    if not who.level("craftsmanship") or len(state.fighters) > MOST_CRAFTERS_COMPANY:
        return []
    offers: dict[str, list[Offer]] = {}
    for action in list_craft_actions(state, who):
        chance, how = ("", ""), "" if action.add else ", take away"
        if action.hurry:
            chance, how = in_words(face_needed(who.level("craftsmanship"), HURRY_DIFFICULTY)), ", in a hurry"
        offers.setdefault(action.targets[0], []).append(offer_of(action, f"{action.ability}{how}", *chance))
    if not offers:
        return []
    ways = tuple(Way(f"for {state.fighter(target).name}", tuple(found)) for target, found in offers.items())
    effect = "+1 on an ability that the companion already has, until you remove it."
    return [Choice(CRAFT.do, "Craft a bonus", CRAFT.rule, effect, "outside turns", ways)]


def offer_of(action: Action, label: str, chance: str = "", faces: str = "", *, is_likely: bool = True) -> Offer:
    """An action as a button."""
    return Offer(action.do, action.actor, action.targets, label, _written(action.to_step()), chance, faces, is_likely)


def options_of(scene: TurnContext, do: str) -> list[Uses]:
    """The choices of abilities for an action, the best first."""
    first = choose_best_abilities(scene.actor, do, scene.state.rulings)
    return sorted(list_ability_options(scene.actor, do, scene.state.rulings), key=lambda uses: uses != first)


def _ways(scene: TurnContext, do: str, aims: Sequence[str]) -> Iterator[Way]:
    """The choices of abilities, the best first, each with its targets."""
    actor, card = scene.actor, ACTION_SPECS[do]
    choices = options_of(scene, do) if card.usable_abilities else [None]
    if not card.needs_target:
        effect = card.effect if do != END_TURN.do else ""
        offers = [offer_of(Action(actor.id, do, (), uses), with_words(actor, uses) or VERBS[do]) for uses in choices]
        yield Way("", tuple(replace(offer, effect=effect) for offer in offers))
        return
    single = patient_problems if do in HEALING else target_problems
    open_to = [target for target in scene.state.fighters if not single(scene, do, target)]
    for uses in choices:
        offers = sorted(_aimed(scene, do, uses, open_to, aims), key=lambda offer: offer.worth, reverse=True)
        yield Way(with_words(actor, uses), tuple(offers))


def _aimed(
    scene: TurnContext, do: str, uses: Uses | None, open_to: Sequence[Fighter], aims: Sequence[str]
) -> Iterator[Offer]:
    """Each target, or set of targets; where those are many, each alone and those aimed at together.

    What goes on with another act afterwards is aimed at one target now.
    """
    allowed = ONE if ACTION_SPECS[do].follow_up else ACTION_SPECS[do].targets
    count = len(open_to) if allowed.most == 1 else min(len(open_to), MOST_SETS + 1)
    sets = [tuple(open_to[place] for place in chosen) for chosen in allowed.sets_of(count)]
    if len(sets) > MOST_SETS and allowed.most > 1:
        chosen = tuple(target for target in open_to if target.id in aims)
        sets = [(target,) * allowed.least for target in open_to]
        sets += [chosen] if 1 < len(chosen) <= allowed.most else []
    return (_at(scene, do, uses, each) for each in sets)


def _at(scene: TurnContext, do: str, uses: Uses | None, targets: Sequence[Fighter]) -> Offer:
    """An action aimed at someone, or at several, with the chance of each roll and what it takes."""
    action = Action(scene.actor.id, do, tuple(target.id for target in targets), uses)
    friends = [target.side == scene.actor.side for target in targets]
    likely = all(friends) if do in HEALING else not any(friends) and not any(target.is_down for target in targets)
    offer = offer_of(action, join_words([target.name for target in targets]), is_likely=likely)
    if do not in ROLL_ACTIONS:
        return offer
    if do in HEALING:
        card = ACTION_SPECS[do]
        modifier = sum(
            part.value for part in list_roll_parts(scene.actor, do, card.usable_abilities, scene.state.rulings)
        )
        chance, faces = in_words(face_needed(modifier, card.difficulty))
        return replace(offer, chance=chance, faces=faces, warnings=_warnings(scene, do, targets))
    return weighed(scene, offer, uses_of(scene.actor, action, scene.state.rulings), targets)


def weighed(scene: TurnContext, offer: Offer, uses: Uses, targets: Sequence[Fighter]) -> Offer:
    """An attack with the chance of each of its rolls, and what twenty tries of it take, with all that it opens."""
    rolls = [in_words(scene.get_attack(offer.do, uses, target).lowest_success_face) for target in targets]
    chances, faces = ", ".join(chance for chance, _ in rolls), "; ".join(words for _, words in rolls)
    card = ACTION_SPECS[offer.do]
    damage, hits = total_over_faces(scene, offer.do, uses, [*targets] * (card.targets.most if card.follow_up else 1))
    warnings = _warnings(scene, offer.do, targets)
    return replace(offer, chance=chances, faces=faces, damage=damage, hits=hits, warnings=warnings)


def _warnings(scene: TurnContext, do: str, targets: Sequence[Fighter]) -> tuple[str, ...]:
    """Say what a player would not expect of an action: a lost turn, and targets that no one would choose.

    Rules: `cond.delayed`, `act.shooting.injured-delay`, `act.blasting.injured-delay`, `act.knockout.self-delay`.
    """
    actor, is_help = scene.actor, do in HEALING
    lost = ("costs your next turn",) if ACTION_SPECS[do].has_self_delay(actor.is_injured) else ()
    strange = dict.fromkeys(
        each.name for each in targets if (each.side == actor.side) != is_help and (each.id != actor.id or not is_help)
    )
    side = ("helps the other side: " if is_help else "hits your own side: ") + join_words([*strange])
    return (*lost, *((side,) if strange else ()))


def in_words(face: int) -> tuple[str, str]:
    """The chance of a roll of which that is the least face to succeed, and which faces do. Rule: `roll.success`."""
    faces = {1: "any roll", 20: "20"}.get(face, f"{face} or more")
    return f"{5 * (21 - face)}%", faces


def with_words(actor: Fighter, uses: Uses | None) -> str:
    """The abilities added, with their levels, in words."""
    if uses is None:
        return ""
    return f"with {' and '.join(f'{name} {actor.level(name)}' for name in uses)}" if uses else "with no ability"


def _no_target(scene: TurnContext, do: str) -> list[Problem]:
    """Why an action that is open has no one to aim at."""
    single = patient_problems if do in HEALING else target_problems
    others = (target for target in scene.state.fighters if target.id != scene.actor.id)
    rule = ACTION_SPECS[do].rule
    nobody = rule_problems("target.none", rule, "a target", "none", "act")
    reasons = (single(scene, do, target) for target in others)
    return requirement_problems(scene.actor, do) or next(filter(None, reasons), nobody)
