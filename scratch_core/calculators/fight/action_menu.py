"""What may be done now, ready to be printed: every legal act once, and why the others are not open.

What is offered is the same in every order of turns; what is found here are the turns of the basic rules.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from itertools import chain

from scratch_core.calculators.shared.problem_sentences import format_problem_sentence
from scratch_core.characters import HURRY_DIFFICULTY
from scratch_core.dice import face_needed
from scratch_core.encounter.actions import (
    HEALING,
    ROLL_ACTIONS,
    TURN_ACTIONS,
    AbilityNames,
    Action,
    TurnContext,
    attack_target_problems,
    choose_best_abilities,
    compute_usual_damage,
    get_named_or_best_abilities,
    healing_target_problems,
    is_crafting_locked,
    list_ability_options,
    list_legal_craft_actions,
    list_roll_parts,
    required_ability_problems,
    sum_damage_and_hits_over_faces,
    target_independent_problems,
)
from scratch_core.encounter.engine import apply_events, plan_turn_start
from scratch_core.encounter.narration import describe_delay_cause, list_turn_candidates
from scratch_core.encounter.state import EncounterState, Fighter
from scratch_core.errors import Problem, join_words, rule_problems
from scratch_core.rulebook.action_spec import ONE
from scratch_core.rulebook.actions import (
    ACTION_SPECS,
    BLAST,
    COUNTER_HOLD,
    CRAFT,
    DOUBLE_ATTACK,
    END_TURN,
    EVADE,
    HOLD,
    MOVE,
    NOTHING,
    SECOND_BLOW,
)

MAX_TARGET_SETS = 20
"""As many sets of targets as are weighed; beyond that each target alone, and those that are chosen."""

MAX_ACTION_CHOICES = 300
"""The most turn menus that are shown at once; the others open with a button."""

MAX_FIGHTERS_FOR_CRAFTING = 30
"""The largest company for which crafted bonuses are listed."""

BUTTON_LABELS = {do: card.button or card.title for do, card in ACTION_SPECS.items()}
"""What stands on the buttons: the rulebook's names."""

MAX_TARGETS = 3
"""As many as one act is aimed at. Rule: `act.blasting`."""

TARGET_KEYS = ("target", "targets", "at")
"""The keys of a step that hold its target."""

SHORTCUT_KEYS = "123456789"
"""The keys that press what is offered, in its order."""

COLLAPSED_ACTIONS = (CRAFT.do, MOVE.do)
"""The actions with so many buttons that they are looked up, not pressed by a key."""

SIMPLE_ACTIONS = tuple(
    do for do in TURN_ACTIONS if not ACTION_SPECS[do].needs_target and not ACTION_SPECS[do].usable_abilities
)
"""The actions without a target and without a choice of abilities."""


@dataclass(frozen=True, slots=True)
class ActionChoice:
    """One legal act: what its button says, the step that it sends, and the chance of each of its rolls, in words.

    `is_likely`: an attack on someone of another side who still stands, or help for someone of the same side. On a
    board, `space` is where it leads or is aimed at, and `interrupter_names` names those who may then interrupt.
    `total_damage` is what an attack takes in twenty tries, `total_hits` how many of those succeed, of all its rolls
    together. `effect` describes the action for this actor, "" where the sentence of its group does. `spoken_label` is
    said before its label. `warnings` say what no one would expect of it.
    """

    do: str
    actor: str
    targets: tuple[str, ...]
    label: str
    step: str
    chance_text: str = ""
    needed_rolls: str = ""
    is_likely: bool = True
    space: str = ""
    interrupter_names: str = ""
    total_damage: int = 0
    total_hits: int = 0
    effect: str = ""
    spoken_label: str = ""
    warnings: tuple[str, ...] = ()

    @property
    def attack_value(self) -> tuple[int, int]:
        """What is compared between attacks: expected damage, then chance."""
        return self.total_damage, self.total_hits

    @property
    def untargeted_step(self) -> str:
        """The step without its target, which the user chooses in one place for all actions."""
        return _format_compact_json(
            {key: value for key, value in json.loads(self.step).items() if key not in TARGET_KEYS}
        )

    @property
    def target_fields(self) -> dict[str, object]:
        """The target fields of the step."""
        return {key: value for key, value in json.loads(self.step).items() if key in TARGET_KEYS}


@dataclass(frozen=True, slots=True)
class ActionControl:
    """A small field of an act: `tick`, `number`, or `select` with its options, the default first."""

    name: str
    kind: str
    label: str
    options: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class ActionVariant:
    """One way of doing an act, a choice of abilities for one, with its targets."""

    label: str
    choices: tuple[ActionChoice, ...]


@dataclass(frozen=True, slots=True)
class ActionGroup:
    """An act that is open; or that is `problem`, and why. The first way is the best one.

    `is_expanded`: all ways stand beside one another, none is likelier. `controls` are small fields that go with it.
    """

    do: str
    title: str
    rule: str
    effect: str
    kind: str = "regular"
    variants: tuple[ActionVariant, ...] = ()
    is_expanded: bool = False
    controls: tuple[ActionControl, ...] = ()
    problem: Problem | None = None
    unavailable_text: str = ""

    @property
    def is_likely(self) -> bool:
        """Whether any of its targets is one that anyone would choose."""
        return any(offer.is_likely for way in self.variants for offer in way.choices)

    @property
    def main_choices(self) -> tuple[ActionChoice, ...]:
        """What is likeliest wanted: the best way with its likely targets; everything, where that is nothing."""
        if self.is_expanded:
            return tuple(offer for way in self.variants for offer in way.choices)
        likely = tuple(offer for offer in self.variants[0].choices if offer.is_likely)
        return likely or self.variants[0].choices

    def choose_for_targets(self, aims: Sequence[str]) -> ActionChoice:
        """What its one button does: aimed at those, of one at the last of them; else what is likeliest."""

        def fit(offer: ActionChoice) -> tuple[bool, int, int]:
            met = [aims.index(each) for each in offer.targets if each in aims]
            return (True, 2 * len(met) - len(offer.targets), max(met)) if met else (False, 0, 0)

        return max(self.main_choices, key=fit)

    def list_alternatives(self, offer: ActionChoice) -> tuple[ActionChoice, ...]:
        """The same with other abilities."""
        same = (each for way in self.variants for each in way.choices)
        return tuple(
            each for each in same if (each.targets, each.space) == (offer.targets, offer.space) and each != offer
        )

    @property
    def untargeted_choice(self) -> ActionChoice | None:
        """The act with no one in particular, of one that is aimed at someone elsewhere; None for no such thing."""
        bare = (offer for offer in self.main_choices if not offer.targets)
        return next(
            (replace(each, step=_format_compact_json({**json.loads(each.step), "target": ""})) for each in bare), None
        )

    def find_unlikely_choice(self, aims: Sequence[str]) -> ActionChoice | None:
        """What aims at the last of those, where no one would think of that first."""
        here = (each for each in self.variants[0].choices if each.targets == tuple(aims[-1:]) and not each.is_likely)
        return next((each for each in here if each not in self.main_choices), None)

    @property
    def attack_value(self) -> tuple[int, int]:
        """Expected damage and chance on the likeliest target; nothing for what isn't rolled."""
        return self.main_choices[0].attack_value if self.main_choices else (0, 0)


@dataclass(frozen=True, slots=True)
class UnavailableAction:
    """Actions that are not open, and why."""

    titles: tuple[str, ...]
    problem: Problem


@dataclass(frozen=True, slots=True)
class Interrupter:
    """Someone who may interrupt, when in words, and the abilities to choose from, the best first.

    `is_in_cover`: it leaves its cover for that.
    """

    id: str
    name: str
    timing: str
    choices: tuple[ActionChoice, ...]
    is_in_cover: bool = False


@dataclass(frozen=True, slots=True)
class Question:
    """What waits for an answer: whose it is, in words, as it is said aloud, and the answers.

    Of an act that may be interrupted, who may do it `first_interrupters` and who `later_interrupters`, and the button
    for `decline_choice`; `rolled_faces` are those thrown for the act already, "" for none. Elsewhere the answers are
    `action_groups`.
    """

    text: str
    actor: str
    spoken_text: str
    action_groups: tuple[ActionGroup, ...] = ()
    first_interrupters: tuple[Interrupter, ...] = ()
    later_interrupters: tuple[Interrupter, ...] = ()
    decline_choice: ActionChoice | None = None
    rolled_faces: str = ""

    @property
    def visible_steps(self) -> Iterator[str]:
        """The answers that are open now."""
        yield from (offer.step for each in self.first_interrupters for offer in each.choices)
        yield from (offer.step for choice in self.action_groups for offer in choice.main_choices)


@dataclass(frozen=True, slots=True)
class TurnMenu:
    """Someone who may act now.

    `delay_text` says why a delayed character has no actions; `end_turn_choice` is the turn's end, if it has one.

    `simple_choices` are the acts without a choice. `targets` are those whom the others are aimed at, the last chosen
    last; `has_chosen_targets`: the reader has chosen them. `uncaught_text` says which of them a blast on a map can't
    catch. `blast_targets` are the enemies who may be chosen for such a blast, whether it catches them or not.
    """

    actor: str
    actor_name: str
    action_groups: tuple[ActionGroup, ...]
    simple_choices: tuple[ActionChoice, ...] = ()
    unavailable_actions: tuple[UnavailableAction, ...] = ()
    delay_text: str = ""
    end_turn_choice: ActionChoice | None = None
    targets: tuple[str, ...] = ()
    has_chosen_targets: bool = False
    uncaught_text: str = ""
    blast_targets: frozenset[str] = frozenset()

    @property
    def offered_simple_choices(self) -> tuple[ActionChoice, ...]:
        """The small actions, without *Nothing* where the turn's end does the same. Rule: `turn.do-nothing`."""
        if self.end_turn_choice is None:
            return self.simple_choices
        return tuple(offer for offer in self.simple_choices if offer.do != NOTHING.do)

    @property
    def has_unused_action(self) -> bool:
        """Whether the regular action of the turn could still be used. Rule: `act.regular`."""
        return any(choice.kind.startswith("regular") for choice in self.action_groups)

    @property
    def main_rows(self) -> tuple[tuple[ActionGroup, ActionChoice], ...]:
        """Each act that is pressed, with what its button does; last what is chosen though no one would think of it."""
        near, _ = self._rows_by_likelihood
        strays = ((choice, choice.find_unlikely_choice(self.targets)) for choice, _ in near if self.has_chosen_targets)
        return (*near, *((choice, offer) for choice, offer in strays if offer))

    @property
    def _rows_by_likelihood(
        self,
    ) -> tuple[list[tuple[ActionGroup, ActionChoice]], list[tuple[ActionGroup, ActionChoice]]]:
        """The acts that one is chosen for, with what their buttons would do: those at hand, and the others.

        An act against one's own is at hand where they are aimed at, or no one else is there; help for an enemy where
        there is nothing else.
        """
        aimed = [
            (each, each.choose_for_targets(self.targets))
            for each in self.action_groups
            if not (each.is_expanded or each.do in COLLAPSED_ACTIONS)
        ]
        likely = [offer.targets for choice, offer in aimed if choice.is_likely]
        near, far = list[tuple[ActionGroup, ActionChoice]](), list[tuple[ActionGroup, ActionChoice]]()
        for choice, offer in aimed:
            is_aimed = offer.targets not in likely and not {*offer.targets}.isdisjoint(self.targets)
            (near if choice.is_likely or is_aimed or not likely else far).append((choice, offer))
        return near, far

    @property
    def collapsed_groups(self) -> tuple[ActionGroup, ...]:
        """The acts that are looked up, and those of which each way has its button."""
        return tuple(choice for choice in self.action_groups if choice.is_expanded or choice.do in COLLAPSED_ACTIONS)

    @property
    def alternative_rows(self) -> tuple[tuple[ActionGroup, ActionChoice], ...]:
        """The same acts with other abilities, then those that are not at hand."""
        same = ((choice, offer) for choice, shown in self.main_rows for offer in choice.list_alternatives(shown))
        return (*same, *((choice, offer) for choice, _ in self._rows_by_likelihood[1] for offer in choice.main_choices))

    def with_targets(self, aims: Sequence[str], pressed: Sequence[str], unseen: Set[str] = frozenset()) -> TurnMenu:
        """The turn with its acts aimed at those, after others were pressed; at the likeliest where none of them is.

        Those `unseen` are the likeliest only where there is no one else.
        """
        chosen = update_targets(aims, pressed, MAX_TARGETS if self.can_target_several else 1)
        return replace(
            self,
            targets=tuple(each for each in chosen if each in self.possible_targets)
            or self._find_likely_targets(unseen),
        )

    def _find_likely_targets(self, unseen: Set[str]) -> tuple[str, ...]:
        first = next((offer.targets for _, offer in self.main_rows if offer.targets), ())
        if unseen.isdisjoint(first):
            return first
        same = (way for choice, offer in self.main_rows if offer.targets == first for way in choice.variants)
        others = (each.targets for way in same for each in way.choices if each.targets and each.is_likely)
        return next((each for each in others if unseen.isdisjoint(each)), first)

    @property
    def possible_targets(self) -> frozenset[str]:
        """All possible targets of an action."""
        ways = (way for choice, _ in chain(*self._rows_by_likelihood) for way in choice.variants)
        return (
            frozenset(each for way in ways for offer in way.choices for each in offer.targets) - {self.actor}
            | self.blast_targets
        )

    @property
    def can_target_several(self) -> bool:
        """Whether an act may be aimed at several at once."""
        return any(choice.do == BLAST.do for choice in self.action_groups)

    @property
    def targets_json(self) -> str:
        """The targets of each action, as JSON for a control; a button sends only the action."""
        return _format_compact_json({choice.do: offer.target_fields for choice, offer in reversed(self.main_rows)})

    @property
    def visible_steps(self) -> Iterator[str]:
        """The acts that stand unfolded on the page."""
        yield from (offer.step for _, offer in self.main_rows)
        yield from (offer.step for offer in self.offered_simple_choices)
        yield from (offer.step for choice in self.action_groups if choice.is_expanded for offer in choice.main_choices)

    @property
    def choice_count(self) -> int:
        """How many actions are offered."""
        ends = 1 if self.end_turn_choice else 0
        return (
            ends
            + len(self.simple_choices)
            + sum(len(way.choices) for choice in self.action_groups for way in choice.variants)
        )


def update_targets(aims: Sequence[str], pressed: Sequence[str], most: int) -> tuple[str, ...]:
    """Who is aimed at after someone was pressed: of one act the last, of several at most so many, each off again."""
    for each in pressed:
        is_off = each in aims and most > 1
        aims = [*(other for other in aims if other != each), *([] if is_off else [each])][-most:]
    return tuple(aims)


def _format_compact_json(tree: object) -> str:
    return json.dumps(tree, ensure_ascii=False, separators=(",", ":"))


def assign_shortcut_keys(steps: Iterable[str]) -> dict[str, str]:
    """A key for each of the first nine steps that are offered."""
    return dict(zip(dict.fromkeys(steps), SHORTCUT_KEYS, strict=False))


def group_unavailable_actions(barred: Iterable[tuple[str, Problem]]) -> tuple[UnavailableAction, ...]:
    """The same reason once, with everything that it forbids."""
    found: dict[str, tuple[list[str], Problem]] = {}
    for title, problem in barred:
        found.setdefault(format_problem_sentence(problem), ([], problem))[0].append(title)
    return tuple(UnavailableAction(tuple(titles), problem) for titles, problem in found.values())


# Whose turn


def list_possible_actors(state: EncounterState) -> tuple[str, ...]:
    """Whose turn it is, or whose may begin; outside an encounter, who could help someone."""
    if state.phase == "running":
        return list_turn_candidates(state)
    there = (each for each in state.fighters if not each.is_out)
    return tuple(each.id for each in there if each.level("healing") or each.level("craftsmanship"))


def list_idle_turn_ends(state: EncounterState) -> tuple[ActionChoice, ...]:
    """The turns of those down or gone, which may be ended between turns, and need not. Rule: `hp.incapacitated`."""
    if state.phase != "running" or not state.turn_over:
        return ()
    out = [each for each in state.fighters if each.is_out and not plan_turn_start(state, each.id).problems]
    return tuple(build_action_choice(Action(each.id, END_TURN.do), each.name) for each in out)


def build_turn_context(state: EncounterState, actor: str) -> TurnContext:
    """The scene in which someone acts: in an encounter its turn has begun."""
    if state.phase == "running":
        state = apply_events(state, plan_turn_start(state, actor).events)
    return TurnContext(state, state.fighter(actor))


def build_crafting_menus(state: EncounterState) -> tuple[TurnMenu, ...]:
    """What crafters may do before the first turn. Rule: `craft.encounter-lock`."""
    if state.phase != "running" or is_crafting_locked(state):
        return ()
    crafting = ((each, tuple(_list_craft_groups(state, each))) for each in state.fighters)
    return tuple(TurnMenu(who.id, who.name, choices) for who, choices in crafting if choices)


# A turn


def list_actions_without_spaces(
    scene: TurnContext, aims: Sequence[str] = ()
) -> tuple[list[ActionGroup], list[ActionChoice], list[tuple[str, Problem]]]:
    """What someone may do now without a space, what of it has no choice, and why the rest is closed.

    Outside an encounter that is healing and crafting. Rules: `act.basic.available`, `act.heal`,
    `craft.encounter-lock`.
    """
    choices, small, barred = list[ActionGroup](), list[ActionChoice](), list[tuple[str, Problem]]()
    for do in TURN_ACTIONS if scene.is_encounter_running else HEALING:
        if scene.state.board is not None and ACTION_SPECS[do].targets.spaces:
            continue
        closed = target_independent_problems(scene, do)
        if closed and do == SECOND_BLOW.do:  # nothing that someone would look for
            continue
        ways = () if closed else tuple(_list_variants(scene, do, aims))
        if not any(way.choices for way in ways):
            barred.append((BUTTON_LABELS[do], (closed or _untargetable_problems(scene, do))[0]))
        elif do in SIMPLE_ACTIONS:
            small += ways[0].choices
        else:
            choices.append(build_action_group(scene, do, ways))
    if scene.is_encounter_running:
        return choices, small, barred
    return [*choices, *_list_craft_groups(scene.state, scene.actor)], small, []


def build_action_group(scene: TurnContext, do: str, ways: tuple[ActionVariant, ...]) -> ActionGroup:
    """An action that is open, in the words of its card."""
    card = ACTION_SPECS[do]
    effect = card.effect if scene.state.board is None else card.effect_on_map
    return ActionGroup(do, BUTTON_LABELS[do], card.rule, effect, card.kind, ways)


def explain_delay(scene: TurnContext, choices: Iterable[ActionGroup]) -> str:
    """Say why a delayed actor has no actions, "" for anyone else.

    Rules: `cond.delayed`, `act.wrestling.counter-hold`.
    """
    if not (scene.is_encounter_running and scene.actor.delays):
        return ""
    reasons = join_words(list(dict.fromkeys(describe_delay_cause(scene.state, each) for each in scene.actor.delays)))
    can_counter = any(each.do == COUNTER_HOLD.do for each in choices)
    left = "a counter-hold is the only action" if can_counter else "no regular or bonus action"
    return f"{scene.actor.name} is delayed ({reasons}): {left} this turn."


def sort_by_attack_value(choices: Sequence[ActionGroup]) -> tuple[ActionGroup, ...]:
    """Attacks by expected damage on the likeliest target, then by chance; the rest after them as it stood.

    An attack that would hit no one but friends, or its own actor, comes last.
    """
    attacks = [choice for choice in choices if ACTION_SPECS[choice.do].is_attack]
    sought = sorted((each for each in attacks if each.is_likely), key=lambda choice: choice.attack_value, reverse=True)
    rest = [choice for choice in choices if choice not in attacks]
    return (*sought, *rest, *(each for each in attacks if not each.is_likely))


def _list_craft_groups(state: EncounterState, who: Fighter) -> list[ActionGroup]:
    """Bonuses to craft, a way for each companion, who is on the same side.

    Rules: `craft.bonus`, `craft.hurry`, `craft.duration`.
    """
    if not who.level("craftsmanship") or len(state.fighters) > MAX_FIGHTERS_FOR_CRAFTING:
        return []
    offers: dict[str, list[ActionChoice]] = {}
    for action in list_legal_craft_actions(state, who):
        if state.fighter(action.targets[0]).side != who.side:
            continue
        chance, how = ("", ""), "" if action.add else ", take away"
        if action.hurry:
            chance, how = (
                format_chance_and_rolls(face_needed(who.level("craftsmanship"), HURRY_DIFFICULTY)),
                ", in a hurry",
            )
        offers.setdefault(action.targets[0], []).append(build_action_choice(action, f"{action.ability}{how}", *chance))
    if not offers:
        return []
    ways = tuple(ActionVariant(f"for {state.fighter(target).name}", tuple(found)) for target, found in offers.items())
    effect = "Crafted before a fight: +1 on an ability that a companion already has, until you remove it."
    return [ActionGroup(CRAFT.do, "Craft a bonus", CRAFT.rule, effect, "outside turns", ways)]


def build_action_choice(
    action: Action, label: str, chance: str = "", faces: str = "", *, is_likely: bool = True
) -> ActionChoice:
    """An action as a button."""
    return ActionChoice(
        action.do, action.actor, action.targets, label, _format_compact_json(action.to_step()), chance, faces, is_likely
    )


def rank_ability_options(scene: TurnContext, do: str) -> list[AbilityNames]:
    """The choices of abilities for an action, the best first."""
    first = choose_best_abilities(scene.actor, do, scene.state.rulings)
    return sorted(list_ability_options(scene.actor, do, scene.state.rulings), key=lambda uses: uses != first)


def _list_variants(scene: TurnContext, do: str, aims: Sequence[str]) -> Iterator[ActionVariant]:
    """The choices of abilities, the best first, each with its targets."""
    actor, card = scene.actor, ACTION_SPECS[do]
    choices = rank_ability_options(scene, do) if card.usable_abilities else [None]
    if not card.needs_target:
        offers = [
            replace(
                build_action_choice(Action(actor.id, do, (), uses), format_abilities(actor, uses) or BUTTON_LABELS[do]),
                effect=_describe_untargeted(actor, do, uses or ()),
            )
            for uses in choices
        ]
        yield ActionVariant("", tuple(offers))
        return
    single = healing_target_problems if do in HEALING else attack_target_problems
    open_to = [target for target in scene.state.fighters if not single(scene, do, target)]
    for uses in choices:
        offers = sorted(
            _list_targeted_choices(scene, do, uses, open_to, aims), key=lambda offer: offer.attack_value, reverse=True
        )
        yield ActionVariant(format_abilities(actor, uses), tuple(offers))


def _list_targeted_choices(
    scene: TurnContext, do: str, uses: AbilityNames | None, open_to: Sequence[Fighter], aims: Sequence[str]
) -> Iterator[ActionChoice]:
    """Each target, or set of targets; where those are many, each alone and those aimed at together.

    What goes on with another act afterwards is aimed at one target now.
    """
    allowed = ONE if ACTION_SPECS[do].follow_up else ACTION_SPECS[do].targets
    count = len(open_to) if allowed.most == 1 else min(len(open_to), MAX_TARGET_SETS + 1)
    sets = [tuple(open_to[place] for place in chosen) for chosen in allowed.list_target_sets(count)]
    if len(sets) > MAX_TARGET_SETS and allowed.most > 1:
        chosen = tuple(target for target in open_to if target.id in aims)
        sets = [(target,) * allowed.least for target in open_to]
        sets += [chosen] if 1 < len(chosen) <= allowed.most else []
    return (_build_targeted_choice(scene, do, uses, each) for each in sets)


def _build_targeted_choice(
    scene: TurnContext, do: str, uses: AbilityNames | None, targets: Sequence[Fighter]
) -> ActionChoice:
    """An action aimed at someone, or at several, with the chance of each roll and what it takes."""
    action = Action(scene.actor.id, do, tuple(target.id for target in targets), uses)
    friends = [target.side == scene.actor.side for target in targets]
    likely = all(friends) if do in HEALING else not any(friends) and not any(target.is_down for target in targets)
    offer = build_action_choice(action, join_words([target.name for target in targets]), is_likely=likely)
    if do not in ROLL_ACTIONS:
        return offer
    if do in HEALING:
        card = ACTION_SPECS[do]
        modifier = sum(
            part.value for part in list_roll_parts(scene.actor, do, card.usable_abilities, scene.state.rulings)
        )
        chance, faces = format_chance_and_rolls(face_needed(modifier, card.difficulty))
        return replace(offer, chance_text=chance, needed_rolls=faces, warnings=_list_warnings(scene, do, targets))
    return add_attack_chances(
        scene, offer, get_named_or_best_abilities(scene.actor, action, scene.state.rulings), targets
    )


def add_attack_chances(
    scene: TurnContext, offer: ActionChoice, uses: AbilityNames, targets: Sequence[Fighter]
) -> ActionChoice:
    """An attack with the chance of each of its rolls, and what twenty tries of it take, with all that it opens."""
    rolls = [
        format_chance_and_rolls(scene.get_prepared_attack(offer.do, uses, target).lowest_success_face)
        for target in targets
    ]
    chances, faces = ", ".join(chance for chance, _ in rolls), "; ".join(words for _, words in rolls)
    card = ACTION_SPECS[offer.do]
    damage, hits = sum_damage_and_hits_over_faces(
        scene, offer.do, uses, [*targets] * (card.targets.most if card.follow_up else 1)
    )
    return replace(
        offer,
        chance_text=chances,
        needed_rolls=faces,
        total_damage=damage,
        total_hits=hits,
        warnings=_list_warnings(scene, offer.do, targets),
        effect=_describe_attack(scene, offer.do, uses),
    )


def _describe_attack(scene: TurnContext, do: str, uses: AbilityNames) -> str:
    """Describe an attack's effect for this actor, "" where it equals the rulebook's sentence.

    Rules: `act.wrestling.hold-damage`, `act.fighting.double`.
    """
    damage = compute_usual_damage(scene, do, uses)
    on_20 = ACTION_SPECS[do].damage_on_20(damage)
    if do == HOLD.do:
        hurt = f"{damage} damage ({on_20} on a 20), delays" if damage else "Delays"
        return f"{hurt} the target and ends their evade."
    if do == DOUBLE_ATTACK.do:
        enemies = (each for each in scene.state.fighters if each.side != scene.actor.side and not each.is_down)
        has_choice = sum(not attack_target_problems(scene, do, each) for each in enemies) > 1
        second = "; you choose the second target after the first roll" if has_choice else ""
        return f"Two rolls, each {damage} damage ({on_20} on a 20){second}."
    return ""


def _describe_untargeted(actor: Fighter, do: str, uses: AbilityNames) -> str:
    """Describe an action without a target, an evade with its bonus.

    Rules: `act.evade`, `act.evade.no-ability`.
    """
    if do != EVADE.do:
        return ACTION_SPECS[do].effect if do != END_TURN.do else ""
    bonus = actor.level(uses[0]) if uses and actor.has_terrain_for(uses[0]) else 0
    if not bonus:
        return "No bonus, but you can escape on your next turn."
    return f"+{bonus} agility and strength until your next turn or a hold. Escaping needs it."


def _list_warnings(scene: TurnContext, do: str, targets: Sequence[Fighter]) -> tuple[str, ...]:
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


def format_chance_and_rolls(face: int) -> tuple[str, str]:
    """The chance of a roll of which that is the least face to succeed, and which faces do. Rule: `roll.success`."""
    faces = {1: "any roll", 20: "20"}.get(face, f"{face} or more")
    return f"{5 * (21 - face)}%", faces


def format_abilities(actor: Fighter, uses: AbilityNames | None) -> str:
    """The abilities added, with their levels, in words."""
    if uses is None:
        return ""
    return f"with {' and '.join(f'{name} {actor.level(name)}' for name in uses)}" if uses else "with no ability"


def _untargetable_problems(scene: TurnContext, do: str) -> list[Problem]:
    """Why an action that is open has no one to aim at."""
    single = healing_target_problems if do in HEALING else attack_target_problems
    others = (target for target in scene.state.fighters if target.id != scene.actor.id)
    rule = ACTION_SPECS[do].rule
    no_target = rule_problems("target.none", rule, "a target", "none", "act")
    reasons = (single(scene, do, target) for target in others)
    return required_ability_problems(scene.actor, do) or next(filter(None, reasons), no_target)
