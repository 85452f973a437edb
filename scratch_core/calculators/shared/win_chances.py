"""Compute the win chances of both sides at the steps of a fight.

The chances are exact for a duel, and estimated by playouts for a larger fight. A side that escapes has lost, so the
chances sum to 1 unless no one can end the fight. The worked combat takes half a minute to solve, so a data file of the
site has its chances. Calculators import this module only when a request asks for chances.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from scratch_core.calculators.shared.jobs import MAX_DUEL_HP, MAX_DUEL_PIECES, JobCache, ShouldContinue
from scratch_core.calculators.shared.sides import is_players_side
from scratch_core.characters import AbilityLevel
from scratch_core.dice import Roller, SeededRoller
from scratch_core.encounter.engine import apply_events, begin
from scratch_core.encounter.state import EncounterState, Fighter, build_fighter, build_initial_state
from scratch_core.errors import ScratchError, join_words
from scratch_core.odds import Game, ProbabilityRange, Tally, choose_sensible_action, tally_playouts
from scratch_core.odds.lookup_table import WinProbabilityTable, hash_relevant_state

MIN_PLAYOUTS = 20
"""The minimum number of playouts of a fight, even if they reach the margin earlier."""
TARGET_MARGIN = 0.03
"""The half width of the confidence interval at which playouts stop."""
TARGET_MARGIN_BEFORE_FIGHT = 0.05
"""The same for a fight that has not begun, which needs further playouts to find an evener one."""
PLAYOUTS_PER_CANDIDATE = 60
"""The playouts of each change that might make a fight even; a third of them while the weaker side wins none."""

PLAYOUT_SEED = 1
"""The seed of all playouts, so that the same request has the same answer."""

HOPELESS_WIN_SHARE = 0.1
"""The win share of the weaker side below which a single change would not make the fight even."""

MAX_ADDED_FIGHTERS = 6
"""The most copies of a fighter that are tried to make a fight even."""


@dataclass(frozen=True, slots=True)
class SideChance(ProbabilityRange):
    """The win chance of a side, or bounds for it."""

    side: str
    """The side."""


SideChances = tuple[SideChance, ...]
"""The chances of both sides at one moment."""


@dataclass(frozen=True, slots=True)
class StepChances:
    """The win chances of both sides after a step."""

    step: int
    """The step's number; 0 for the beginning of the fight."""
    texts: tuple[str, ...]
    """The chance of each side, in words."""
    line_y: float
    """The position of the first side's chance in a chart: 0 (certain to win) to 100 (certain to lose)."""


@dataclass(frozen=True, slots=True)
class BalanceChange:
    """A change of the game master's characters before a fight: of their number, or of one level."""

    words: str
    """The change in words: `with one more Guard`."""
    removed_ids: tuple[str, ...] = ()
    """The characters that leave."""
    copied_id: str = ""
    """The character of which copies join, or ""."""
    copies: int = 0
    """The number of copies."""
    changed_id: str = ""
    """The character with another level, or ""."""
    ability: str = ""
    """The ability with another level."""
    level: int = 0
    """The new level, at least 1."""


class _Advice(NamedTuple):
    """What would make a fight more even."""

    text: str = ""
    change: BalanceChange | None = None


@dataclass(frozen=True, slots=True)
class FightChances:
    """Each side's win chance, now and at the steps of a fight."""

    current_chances: tuple[tuple[str, str], ...] = ()
    """The chances now: sides and percentages, in words."""
    steps: tuple[StepChances, ...] = ()
    """The steps at which the chances are known."""
    step_count: int = 0
    """The number of steps of the fight."""
    decisive_step: int = 0
    """The step whose dice changed the winner's chance most, from 1; 0 for none."""
    playout_count: int = 0
    """The number of fights played out for `current_chances`; 0 if they are exact."""
    note: str = ""
    """The reason why there are no chances, or ""."""
    is_incomplete: bool = False
    """Whether a repeated request gives more."""
    balance_text: str = ""
    """A change that would make a fight that has not begun more even, or ""."""
    balance_change: BalanceChange | None = None
    """The change that `balance_text` describes, or None if it describes none that helps."""

    @property
    def spoken_text(self) -> str:
        """The chances as text for screen readers.

        The text is `note` if there are no chances yet.
        """
        if self.is_incomplete or not self.current_chances:
            return self.note
        return f"To win: {', '.join(f'{side} {words}' for side, words in self.current_chances)}."


_game_jobs: JobCache[Game] = JobCache(4)
_tally_jobs: JobCache[Tally] = JobCache(16)
_balance_jobs: JobCache[_Advice] = JobCache(4)


def clear_chance_jobs() -> None:
    """Clear the cache of solved and played-out fights."""
    _game_jobs.clear()
    _tally_jobs.clear()
    _balance_jobs.clear()


def compute_fight_chances(
    states: Sequence[EncounterState],
    has_rolls_by_step: Sequence[bool],
    step: int,
    should_continue: ShouldContinue,
    table: WinProbabilityTable | None,
) -> FightChances:
    """Compute the chances at a step of a recorded fight.

    The result has the chances at the other steps, too, where possible. `states` are the state before the first step and
    after each step. `has_rolls_by_step` has whether each step rolled dice. `table` has the chances of the worked
    combat, if this may be one. The table and the solution of a duel apply to all steps with the fighters of the
    beginning. If they don't apply to `step`, playouts estimate the chances there alone. Rules: `turn.order`,
    `act.escape.effect`.
    """
    note = explain_unavailable_chances(states[step])
    if note:
        return FightChances(step_count=len(states) - 1, note=note)
    if table is not None:
        by_step = _list_chances_in_table(states, table)
        if by_step[step] is not None:
            return _build_fight_chances(
                by_step, step, _find_decisive_step(by_step, has_rolls_by_step, states[-1].winner)
            )
    return _compute_best_chances(states, has_rolls_by_step, step, should_continue)


def advance_exact_chances(
    states: Sequence[EncounterState], should_continue: ShouldContinue, table: WinProbabilityTable | None
) -> tuple[Sequence[SideChances | None], bool]:
    """Find the exact chances after each step, by table or by solving a duel.

    Returns them and whether the search is complete. A step has None if only playouts can estimate its chances, and
    while a duel is being solved. Rules: `turn.order`, `act.escape.effect`.
    """
    by_step = _list_chances_in_table(states, table) if table is not None else ()
    if any(by_step):
        return by_step, True
    if not is_small_duel(states[0]):
        return [None] * len(states), True
    game, is_complete = _game_jobs.advance(states[0], lambda: _run_duel_job(states[0]), should_continue)
    if game is None or not is_complete:
        return [None] * len(states), is_complete
    return _list_chances_in_game(game, states), True


def compute_current_chances(
    states: Sequence[EncounterState], has_rolls_by_step: Sequence[bool], should_continue: ShouldContinue
) -> FightChances:
    """Compute the chances in the latest state of a fight.

    `states` and `has_rolls_by_step` are as in `compute_fight_chances`. A duel is solved once; other fights are played
    out, and so is a state that can't occur in the duel, such as after a change by the game master. The result has all
    steps, with the decisive one, if the fight is won and had the same fighters throughout. Rules: `turn.order`,
    `act.escape.effect`.
    """
    begun, state = states[0], states[-1]
    note = explain_unavailable_chances(state)
    if note:
        return FightChances(note=note)
    has_all_steps = bool(state.winner) and len({_list_ids_sides_and_surroundings(each) for each in states}) == 1
    own_states, own_rolled = (states, has_rolls_by_step) if has_all_steps else ((begun, state), (False,))
    return _compute_best_chances(own_states, own_rolled, len(own_states) - 1, should_continue)


def compute_chances_before_fight(state: EncounterState, should_continue: ShouldContinue) -> FightChances:
    """Compute the chances before a fight, then a change that makes it more even.

    Each playout rolls initiative. Rules: `turn.initiative-roll`, `turn.order`, `act.escape.effect`.
    """
    note = explain_unavailable_chances(state)
    if note:
        return FightChances(note=note)
    chances = _estimate_by_playouts((state,), 0, should_continue)
    if chances.is_incomplete:
        return chances
    advice, is_complete = _balance_jobs.advance(state, lambda: _run_balance_change_job(state), should_continue)
    text, change = advice or _Advice()
    return replace(chances, balance_text=text, balance_change=change, is_incomplete=not is_complete)


def _compute_best_chances(
    states: Sequence[EncounterState], has_rolls_by_step: Sequence[bool], step: int, should_continue: ShouldContinue
) -> FightChances:
    """Solve the fight if it is a small duel, or else play it out.

    Also plays out a step whose fighters differ from those of the beginning, or that can't occur in the duel.
    """
    if is_small_duel(states[0]) and _list_ids_sides_and_surroundings(states[0]) == _list_ids_sides_and_surroundings(
        states[step]
    ):
        chances = _solve_duel_and_look_up_chances(states, has_rolls_by_step, step, should_continue)
        if chances.current_chances or chances.is_incomplete:
            return chances
    return _estimate_by_playouts(states, step, should_continue)


def _build_fight_chances(
    by_step: Sequence[SideChances | None],
    step: int,
    decisive_step: int = 0,
    playout_count: int = 0,
    is_incomplete: bool = False,
) -> FightChances:
    """Build the answer for a step from the chances of all steps.

    `by_step` has None for each step whose chances are unknown.
    """
    steps = tuple(
        StepChances(number, tuple(each.words for each in both), round(100 - 50 * (both[0].low + both[0].high), 2))
        for number, both in enumerate(by_step)
        if both
    )
    current = tuple((each.side, each.words) for each in by_step[step] or ())
    return FightChances(current, steps, len(by_step) - 1, decisive_step, playout_count, is_incomplete=is_incomplete)


def _list_ids_sides_and_surroundings(state: EncounterState) -> tuple[tuple[str, str, frozenset[str]], ...]:
    """List the id, the side and the surroundings of each fighter.

    Two states of the same duel have the same list, because these decide which actions are available.
    """
    return tuple((each.id, each.side, each.here) for each in state.fighters)


def explain_unavailable_chances(state: EncounterState) -> str:
    """Explain why there are no chances in a state.

    Returns "" if there are.
    """
    if state.board is not None:
        return "Win chances aren't available for fights on a map."
    if len(_list_present_sides(state)) != 2:
        return "Win chances need exactly two sides."
    if state.phase == "over" and not state.winner:
        return "Win chances are shown until the fight ends."
    return ""


# A duel: solved once, then looked up


def _solve_duel_and_look_up_chances(
    states: Sequence[EncounterState], has_rolls_by_step: Sequence[bool], step: int, should_continue: ShouldContinue
) -> FightChances:
    """Solve a duel from its first state, and look up the chances at all steps.

    The result has no chances if the duel is too large, or if the state at `step` can't occur in it.
    """
    begun = states[0]
    game, is_complete = _game_jobs.advance(begun, lambda: _run_duel_job(begun), should_continue)
    if not is_complete or game is None:
        return FightChances(step_count=len(states) - 1, is_incomplete=not is_complete)
    by_step = _list_chances_in_game(game, states)
    return _build_fight_chances(by_step, step, _find_decisive_step(by_step, has_rolls_by_step, states[-1].winner))


def is_small_duel(state: EncounterState) -> bool:
    """Return whether a page can solve the fight that begins with this state."""
    is_small = len(state.fighters) == 2 and max(each.hp for each in state.fighters) <= MAX_DUEL_HP
    return state.phase == "running" and is_small


def _list_chances_in_game(game: Game, states: Sequence[EncounterState]) -> list[SideChances | None]:
    """List both chances after each step of a solved duel.

    They are None after a step with other fighters or with a state that can't occur in the duel.
    """
    fighters = _list_ids_sides_and_surroundings(states[0])
    return [
        _find_chances_in_game(game, state) if _list_ids_sides_and_surroundings(state) == fighters else None
        for state in states
    ]


def _list_chances_in_table(states: Sequence[EncounterState], table: WinProbabilityTable) -> list[SideChances | None]:
    """List both chances after each step by a table of chances.

    They are None after a step with other fighters or with a state that the table lacks.
    """
    fighters = _list_ids_sides_and_surroundings(states[0])
    return [
        _find_chances_in_table(state, table) if _list_ids_sides_and_surroundings(state) == fighters else None
        for state in states
    ]


def _run_duel_job(begun: EncounterState) -> Iterator[Game | None]:
    """Solve a duel in small steps.

    Yields None after each step and the solved game at the end. Stops without one after `MAX_DUEL_PIECES` steps.
    """
    game = Game([begun], "loss")
    for number, _ in enumerate(game.solve_in_steps()):
        if number >= MAX_DUEL_PIECES:
            return
        yield None
    yield game


def _find_chances_in_game(game: Game, state: EncounterState) -> SideChances | None:
    """Find both chances in a state of a solved game.

    Returns None for a state that can't occur in the game, such as after a change by the game master.
    """
    try:
        one, other = game.compute_guaranteed_chances(state)
    except ScratchError:
        return None
    return SideChance(one, one, game.sides[0]), SideChance(other, other, game.sides[1])


def _find_chances_in_table(state: EncounterState, table: WinProbabilityTable) -> SideChances | None:
    """Find both chances in a state by a table of chances.

    Returns None if the table doesn't have the state.
    """
    chance = table.chances.get(hash_relevant_state(state))
    if chance is None:
        return None
    one, other = state.sides
    return SideChance(chance, chance, one), SideChance(1 - chance, 1 - chance, other)


def _find_decisive_step(by_step: Sequence[SideChances | None], has_rolls_by_step: Sequence[bool], winner: str) -> int:
    """Find the step whose dice changed the winner's chance most.

    Steps count from 1. Between bounds, the least possible change counts. Returns 0 if no dice certainly changed it.
    """
    largest_change, decisive_step = 0.0, 0
    for step, is_rolled in enumerate(has_rolls_by_step, 1):
        before, after = _find_side_chance(by_step[step - 1], winner), _find_side_chance(by_step[step], winner)
        if not is_rolled or before is None or after is None:
            continue
        change = max(after.low - before.high, before.low - after.high)
        if change > largest_change:
            largest_change, decisive_step = change, step
    return decisive_step


def _find_side_chance(both: SideChances | None, side: str) -> SideChance | None:
    return next((each for each in both or () if each.side == side), None)


# Larger fights: playouts from one step


def _estimate_by_playouts(states: Sequence[EncounterState], step: int, should_continue: ShouldContinue) -> FightChances:
    """Estimate the chances at one step by playouts.

    The chances are certain, without a playout, if the fight is won.
    """
    state, is_complete = states[step], True
    by_step: list[SideChances | None] = [None] * len(states)
    tally = Tally(0, {})
    by_step[step] = find_certain_chances(state)
    if by_step[step] is None:
        latest, is_complete = _tally_jobs.advance(state, lambda: _run_playout_job(state), should_continue)
        tally = latest or tally
        by_step[step] = build_estimated_chances(state, tally)
    return _build_fight_chances(by_step, step, playout_count=tally.fights, is_incomplete=not is_complete)


def find_certain_chances(state: EncounterState) -> SideChances | None:
    """Find the chances in a fight that is won: 1 and 0.

    Returns None for any other fight.
    """
    if not state.winner or state.phase == "before":
        return None
    certain = {side: float(side == state.winner) for side in _list_present_sides(state)}
    return tuple(SideChance(chance, chance, side) for side, chance in certain.items())


def build_estimated_chances(state: EncounterState, tally: Tally) -> SideChances:
    """Build each side's bounds of 95 % from a tally of playouts."""
    return tuple(SideChance(*tally.confidence_interval(side), side) for side in _list_present_sides(state))


def _list_present_sides(state: EncounterState) -> tuple[str, ...]:
    """List the sides of the fighters who have not left.

    Returns the sides of all fighters if those have fewer than two.
    """
    present = dict.fromkeys(each.side for each in state.fighters if not each.gone)
    return tuple(present) if len(present) > 1 else state.sides


def _run_playout_job(state: EncounterState) -> Iterator[Tally | None]:
    """Play a fight out until the margin of its chances is small enough.

    Yields the tally after each playout.
    """
    roller, tally = SeededRoller(PLAYOUT_SEED), Tally(0, {})
    sides = _list_present_sides(state)
    margin = 1.0
    while tally.fights < MIN_PLAYOUTS or margin > (
        TARGET_MARGIN if state.phase == "running" else TARGET_MARGIN_BEFORE_FIGHT
    ):
        tally = play_one_fight(state, roller, tally)
        margin = max((high - low) / 2 for low, high in map(tally.confidence_interval, sides))
        yield tally


def play_one_fight(state: EncounterState, roller: Roller, tally: Tally) -> Tally:
    """Play one more fight and add it to a tally.

    Rolls initiative first if the fight has not begun.
    """
    begun = apply_events(state, begin(state, roller).events) if state.phase == "before" else state
    return tally_playouts(begun, dict.fromkeys(_list_present_sides(state), choose_sensible_action), roller, 1, tally)


# Changes that would make a fight more even


def _run_balance_change_job(state: EncounterState) -> Iterator[_Advice | None]:
    """Find the change that makes a fight most even, by playouts.

    Yields None after each playout, and the best change so far when there is a better one.
    A change is one fighter or one level more or less. If the weaker side hardly ever wins, it is several fighters more
    or less, tried one after the other until the fight is even. The chances must be known already.
    """
    tally, _ = _tally_jobs.advance(state, lambda: _run_playout_job(state), lambda: False)
    assert tally is not None, "the chances are computed first"
    weak, strong = sorted(_list_present_sides(state), key=lambda side: tally.wins.get(side, 0))
    share = tally.win_share(weak)
    least_gap, advice, last_words = 0.5 - share - 0.05, _Advice(), ""
    candidates = (
        _list_gm_fighter_count_changes(state, weak, strong)
        if share < HOPELESS_WIN_SHARE
        else _list_single_gm_changes(state, weak, strong)
    )
    for change, changed_state in candidates if least_gap > 0 else ():
        last_words = change.words
        roller, results = SeededRoller(PLAYOUT_SEED), Tally(0, {})
        while results.fights < (PLAYOUTS_PER_CANDIDATE if results.wins.get(weak) else PLAYOUTS_PER_CANDIDATE // 3):
            results = play_one_fight(changed_state, roller, results)
            yield None
        changed_share = results.win_share(weak)
        if abs(changed_share - 0.5) < least_gap:
            low, high = results.confidence_interval(weak)
            least_gap = abs(changed_share - 0.5)
            advice = _Advice(f"More even {change.words}: {SideChance(low, high, weak).words} for {weak}.", change)
            yield advice
        if share < HOPELESS_WIN_SHARE and changed_share >= 0.5:
            break
    is_hopeless = not advice.change and last_words and share < HOPELESS_WIN_SHARE
    yield _Advice(f"Still uneven {last_words}.") if is_hopeless else advice


def _list_gm_fighter_count_changes(
    state: EncounterState, weak_side: str, strong_side: str
) -> Iterator[tuple[BalanceChange, EncounterState]]:
    """Yield changes by several fighters of the game master's side, the smallest change first.

    Each is the change and the changed fight before it begins. The weakest fighters leave if their side is the
    strong one, otherwise copies of its strongest fighter join. The players' side does not change.
    """
    side = strong_side if is_players_side(weak_side) else weak_side
    fighters = [each for each in reversed(state.fighters) if each.side == side and each.character.lines]
    fighters.sort(key=lambda each: sum(line.level for line in each.character.lines))
    if is_players_side(side) or not fighters:
        return
    for count in range(1, len(fighters)) if side == strong_side else range(1, MAX_ADDED_FIGHTERS + 1):
        if side == strong_side:
            change, changed_state = _remove_with_minions(state, fighters[:count])
            if any(each.side == side for each in changed_state.fighters):
                yield change, changed_state
        else:
            strongest = fighters[-1]
            copies = [_copy_fighter(strongest, f"{strongest.id} again {number}") for number in range(count)]
            words = f"with {'one' if count == 1 else count} more {strongest.name}"
            change = BalanceChange(words, copied_id=strongest.id, copies=count)
            yield change, build_initial_state((*state.fighters, *copies), state.rulings)


def _remove_with_minions(state: EncounterState, removed: Sequence[Fighter]) -> tuple[BalanceChange, EncounterState]:
    """Remove fighters and their minions.

    Returns the change and the fight before it begins. Rule: `command.minions`.
    """
    leader_ids = {each.id for each in removed}
    leaving = [each for each in state.fighters if each in removed or each.character.minion_of in leader_ids]
    words = f"without {join_words([each.name for each in leaving])}"
    rest = tuple(each for each in state.fighters if each not in leaving)
    change = BalanceChange(words, removed_ids=tuple(each.id for each in leaving))
    return change, build_initial_state(rest, state.rulings)


def _copy_fighter(fighter: Fighter, name_and_id: str) -> Fighter:
    """Copy a fighter, healthy and under another name, which is the copy's id, too."""
    group = name_and_id if fighter.group == fighter.id else fighter.group
    hp = fighter.numbers.max_hp
    return replace(fighter, id=name_and_id, group=group, hp=hp, character=replace(fighter.character, name=name_and_id))


def _list_single_gm_changes(
    state: EncounterState, weak_side: str, strong_side: str
) -> Iterator[tuple[BalanceChange, EncounterState]]:
    """Yield changes by one fighter or one level.

    Each is the change and the changed fight before it begins. Only the first of several equal fighters is
    changed. The players' side stays as it is, because the game master doesn't change the players' characters.
    """
    distinct = {(each.side, each.character.lines): each for each in reversed(state.fighters) if each.character.lines}
    for fighter in reversed(distinct.values()):
        if is_players_side(fighter.side):
            continue
        if fighter.side == weak_side:
            copy = _copy_fighter(fighter, f"{fighter.id} again")
            change = BalanceChange(f"with one more {fighter.name}", copied_id=fighter.id, copies=1)
            yield change, build_initial_state((*state.fighters, copy), state.rulings)
        else:
            change, changed_state = _remove_with_minions(state, [fighter])
            if any(each.side == strong_side for each in changed_state.fighters):
                yield change, changed_state
        best = max(fighter.character.lines, key=lambda each: each.level)
        level = best.level + (1 if fighter.side == weak_side else -1)
        if level:
            words = f"with {best.ability} {level} for {fighter.name}"
            change = BalanceChange(words, changed_id=fighter.id, ability=best.ability, level=level)
            yield change, _build_initial_state_with_level(state, fighter, best, level)


def _build_initial_state_with_level(
    state: EncounterState, fighter: Fighter, line: AbilityLevel, level: int
) -> EncounterState:
    """Build the initial state of a fight with another level of a fighter.

    The hit points of a wounded fighter don't rise with the level.
    """
    lines = tuple(replace(each, level=level) if each is line else each for each in fighter.character.lines)
    changed = build_fighter(
        replace(fighter.character, lines=lines),
        name=fighter.name,
        side=fighter.side,
        group=fighter.group,
        here=fighter.here,
        rulings=state.rulings,
    )
    if fighter.hp < fighter.numbers.max_hp:
        changed = replace(changed, hp=min(fighter.hp, changed.hp))
    return build_initial_state(tuple(changed if each is fighter else each for each in state.fighters), state.rulings)
