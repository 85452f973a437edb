"""The explanations of a beginner's fight: what a turn is, and what each button does when it first appears.

Which explanations have been shown follows from the steps of the fight: an explanation is shown during the first turn in
which its subject occurs. Undo shows it again, and a link shows the same as the page that it was copied from.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from scratch_core.calculators.fight import board_menu
from scratch_core.calculators.fight.basic_menu import list_possible_actor_ids
from scratch_core.calculators.fight.fight_view import FightView
from scratch_core.calculators.fight.menu_records import TurnMenu
from scratch_core.encounter.actions import FightRoll
from scratch_core.encounter.state import EncounterState, Fighter
from scratch_core.rulebook.actions import ACTION_SPECS


@dataclass(frozen=True, slots=True)
class Guide:
    """The explanations of one moment of a fight."""

    is_on: bool
    """Whether they are shown. Otherwise the page offers to show them."""
    title: str = ""
    """The title of the notes, or ""."""
    notes: tuple[str, ...] = ()
    """What has just happened and what a turn is, in sentences."""
    action_texts: Mapping[str, str] | None = None
    """The explanation of each button that appears for the first time, by action."""
    target_text: str = ""
    """How a target is chosen, or ""."""
    foot_text: str = ""
    """What ending a turn does, or ""."""
    is_end: bool = False
    """Whether the fight is won: the guide says what to do next."""

    def explain(self, do: str) -> str:
        """Return the explanation of an action's button, or ""."""
        return (self.action_texts or {}).get(do, "")


def _get_beginner_text_or_empty(topic: str) -> str:
    """Return the sentence for a beginner on a topic.

    Returns "" if the topic is no action, and for an action without a sentence.
    """
    spec = ACTION_SPECS.get(topic)
    return spec.beginner_text if spec else ""


def build_guide(shown: FightView, setting: str) -> Guide | None:
    """Build the explanations of the present moment.

    Returns None for a fight without explanations: in another turn system, on a map, or with an open question.
    """
    if not setting or not shown.fight.system.roll_keys or shown.board or shown.question:
        return None
    if setting == "off" or shown.is_over or shown.winner:
        return Guide(setting == "on", is_end=bool(shown.winner or shown.is_over))
    menu = shown.current_menu
    if menu is None:
        return Guide(is_on=True)
    new = _find_topics(shown.state, menu, shown.round) - _find_earlier_topics(shown, menu.actor)
    title, turn_text = _describe_turn(shown, menu, new)
    roll_text = _describe_first_roll(shown)
    return Guide(
        is_on=True,
        title="The first roll" if roll_text else title,
        notes=tuple(filter(None, (roll_text, turn_text, _describe_injury(shown.state, new)))),
        action_texts={do: text for do in new if (text := _get_beginner_text_or_empty(do))},
        target_text=_describe_targets(shown, menu) if "target" in new else "",
        foot_text=_describe_foot(shown) if "turn" in new else "",
    )


# What occurs in a turn, and whether it has occurred before


def _find_earlier_topics(shown: FightView, actor_id: str) -> frozenset[str]:
    """Find the topics of all turns before the present one, which is the actor's."""
    topics: set[str] = set()
    for state in shown.fight.states:
        actors = list_possible_actor_ids(state) if state.phase == "running" else ()
        round_number = shown.fight.system.find_turn_round(state, actors[0]) if actors else 0
        if actors and (round_number, actors[0]) != (shown.round, actor_id):
            topics |= _find_topics_of_actor(state, actors[0], round_number)
    return frozenset(topics)


@lru_cache(maxsize=512)
def _find_topics_of_actor(state: EncounterState, actor_id: str, round_number: int) -> frozenset[str]:
    """Find what occurs in a moment of an actor's turn.

    Cached, because each request needs all earlier moments.
    """
    return _find_topics(state, board_menu.build_turn_menu(state, actor_id)[0], round_number)


def _find_topics(state: EncounterState, menu: TurnMenu, round_number: int) -> frozenset[str]:
    """Find what occurs in a moment of a turn, such as actions with a button."""
    return frozenset(_list_topics(state, menu, round_number))


def _list_topics(state: EncounterState, menu: TurnMenu, round_number: int) -> Iterator[str]:
    yield "turn"
    yield f"turn of {menu.actor}"
    yield f"side {state.fighter(menu.actor).side}"
    yield f"round {min(round_number, 2)}"
    yield from (group.do for group, _ in menu.main_rows)
    yield from (choice.do for choice in menu.offered_simple_choices)
    if menu.possible_targets:
        yield "target"
    if menu.delay_text:
        yield "delay"
    if _find_injured(state):
        yield "injury"


def _find_injured(state: EncounterState) -> Fighter | None:
    return next((each for each in state.fighters if each.is_injured and not each.is_out), None)


# The sentences


def _describe_turn(shown: FightView, menu: TurnMenu, new_topics: frozenset[str]) -> tuple[str, str]:
    """Describe what is new about this turn, and return a title with it.

    Both are "" if nothing is new.
    """
    name, is_first = menu.actor_name, "turn" in new_topics
    if is_first and not shown.fight.results:
        return "What a turn is", (
            f"Everyone rolled a d20, and {name} goes first. On a turn you take one action, such as an attack, and one "
            "small bonus action if you like. Then you end the turn, and the next character goes. The last side "
            "standing wins. You choose for everyone here."
        )
    if "delay" in new_topics:
        return "A lost turn", f"{name} can't act this turn and has to end it. After that, {name} is free again."
    if not menu.has_unused_regular_action and is_first:
        left = (
            "A bonus action is left, if you want one. Otherwise end the turn."
            if menu.simple_choices
            else "End the turn."
        )
        return "One action a turn", f"{name} has used the action of this turn. {left}"
    if "round 2" in new_topics:
        return (
            "A new round",
            f"Everyone has had a turn. That was round 1, and round 2 has the same order: {name} again.",
        )
    side = shown.state.fighter(menu.actor).side
    if f"side {side}" in new_topics and side != shown.ordered_rows[0].fighter.side:
        return "An opponent's turn", (
            f"{name} is on the other side. At a table, the game master chooses for {name}. Here you do, too."
        )
    if not is_first and f"turn of {menu.actor}" in new_topics:
        return f"{name}'s first turn", f"{name} has other abilities, so some buttons are new."
    if not is_first and any(map(_get_beginner_text_or_empty, new_topics)):
        return "New buttons", "What they do is explained below them."
    return "", ""


def _describe_first_roll(shown: FightView) -> str:
    """Describe the first roll of the fight until the next step.

    Returns "" at any other time.
    """
    latest = [roll for result in shown.last_results for roll in result.rolls]
    every = [roll for record in shown.fight.results for roll in record.rolls if isinstance(roll, FightRoll)]
    if not latest or len(every) > len(latest) or not shown.fight.results[-1].rolls:
        return ""
    check, against = latest[0].check, latest[0].against
    die, *more = check.figure.parts
    signs = "".join(f" {'−' if part.value < 0 else '+'} {abs(part.value)} ({part.label})" for part in more)
    total = f"The die shows {die.value}{signs}, which makes {check.total}" if more else f"The die shows {die.value}"
    result = "reaches" if check.is_success else "doesn't reach"
    return (
        f"{total}. That {result} the target's {against.name} of {against.value}. Select the die to see the sum. "
        "With dice of your own, enter the number you roll under “Your roll or note”."
    )


def _describe_injury(state: EncounterState, new_topics: frozenset[str]) -> str:
    """Describe the first injury.

    Returns "" if there is none, or if it is not new.
    """
    injured = _find_injured(state) if "injury" in new_topics else None
    if injured is None:
        return ""
    name, points = injured.name, f"{injured.hp} hit point{'' if injured.hp == 1 else 's'}"
    return f"{name} is injured, with {points} left, and can do less until someone heals {name}."


def _describe_targets(shown: FightView, menu: TurnMenu) -> str:
    names = dict(shown.ids_and_names)
    targets = [names[each] for each in menu.targets[-1:]]
    aimed = f"The filled ring marks the target: {targets[0]}. " if targets else "A ring marks who can be a target. "
    return aimed + "Select another ring to choose someone else."


def _describe_foot(shown: FightView) -> str:
    return f"Undo takes back the last step. End turn: {_find_next_fighter_name(shown)} is next."


def _find_next_fighter_name(shown: FightView) -> str:
    """Find whose turn follows the present one."""
    rows = [row for row in shown.ordered_rows if not row.status.is_out]
    names: list[str] = [row.fighter.name for row in rows]
    active = next((index for index, row in enumerate(rows) if row.is_active), 0)
    return names[(active + 1) % len(names)]
