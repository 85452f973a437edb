"""Each side's chance to win, at every step of a fight: exact for a duel, by fights played out for anything larger.

Loaded only where someone asks for chances. A side that escapes has lost, so the chances sum to 1 unless no one can end
the fight. The worked combat, which takes half a minute to solve, comes with a table of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from scratch_core.calculators.shared.jobs import MAX_DUEL_HP, MAX_DUEL_PIECES, JobCache, ShouldContinue
from scratch_core.calculators.shared.sides import is_players_side
from scratch_core.characters import AbilityLevel
from scratch_core.dice import Roller, SeededRoller
from scratch_core.encounter.engine import apply_events, begin
from scratch_core.encounter.state import EncounterState, Fighter, build_fighter, build_initial_state
from scratch_core.errors import ScratchError, join_words
from scratch_core.odds import Game, ProbabilityRange, Tally, choose_sensible_action, play_out_many
from scratch_core.odds.lookup_table import WinProbabilityTable, build_state_key

MIN_PLAYOUTS = 20
"""Fights played out between two looks at the clock's owner."""
TARGET_MARGIN = 0.03
"""Playouts stop when the interval reaches no further than this to either side."""
TARGET_MARGIN_BEFORE_FIGHT = 0.05
"""The same for a fight that has not begun, of which more is asked."""
PLAYOUTS_PER_CANDIDATE = 60
"""Fights played out for each thing that might make it even; a third of them where the weaker side wins none."""

PLAYOUT_SEED = 1
"""The seed of all fights played out, so that the same question has the same answer."""

HOPELESS_WIN_SHARE = 0.1
"""Where the weaker side wins less often than this, one change more or less would not make the fight even."""

MAX_ADDED_FIGHTERS = 6


@dataclass(frozen=True, slots=True)
class SideChance(ProbabilityRange):
    """One side's chance to win, 0 to 1, known to lie between two numbers; they are equal where it is exact."""

    side: str


SideChances = tuple[SideChance, ...]
"""The chances of both sides at one moment."""


@dataclass(frozen=True, slots=True)
class StepChances:
    """The sides' chances to win after a step, in words, and how far below the top the first's is drawn, 0 to 100."""

    step: int
    texts: tuple[str, ...]
    line_y: float


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
    """The step whose dice certainly changed the winner's chance most; 0 for none."""
    playout_count: int = 0
    """The number of fights played out for `current_chances`; 0 if they are exact."""
    note: str = ""
    """The reason why there are no chances, or ""."""
    is_incomplete: bool = False
    """Whether a repeated request gives more."""
    balance_text: str = ""
    """Before a fight, what would make it more even."""

    @property
    def line_points(self) -> str:
        """The first side's chance as the points of a line, 300 wide and 100 high."""
        return " ".join(f"{300 * each.step / max(1, self.step_count):.1f},{each.line_y}" for each in self.steps)

    @property
    def spoken_text(self) -> str:
        """The chances as they are said once they are known; "" until then."""
        if self.is_incomplete or not self.current_chances:
            return self.note
        return f"To win: {', '.join(f'{side} {words}' for side, words in self.current_chances)}."


_game_jobs: JobCache[Game] = JobCache(4)
_tally_jobs: JobCache[Tally] = JobCache(16)
_balance_jobs: JobCache[str] = JobCache(4)


def clear_chance_jobs() -> None:
    """Clear the cache of solved and played-out fights."""
    _game_jobs.clear()
    _tally_jobs.clear()
    _balance_jobs.clear()


def compute_chances(
    states: Sequence[EncounterState],
    rolled: Sequence[bool],
    step: int,
    go_on: ShouldContinue,
    table: WinProbabilityTable | None,
) -> FightChances:
    """The chances in the states of a fight, before its first step and after each; `rolled` says which steps threw dice.

    `table` has those of the worked combat; where people join or leave, each step has those of the people then there.
    Rules: `turn.order`, `act.escape.effect`.
    """
    why_not = _explain_unavailable(states[step])
    if why_not:
        return FightChances(step_count=len(states) - 1, note=why_not)
    if table is not None:
        known = _list_people(states[0])
        found = [_find_in_table(state, table) if _list_people(state) == known else None for state in states]
        if found[step] is not None:
            return _build_fight_chances(found, step, _find_decisive_step(found, rolled, states[-1].winner))
    return _compute_best_chances(states, rolled, step, go_on)


def compute_current_chances(
    states: Sequence[EncounterState], rolled: Sequence[bool], go_on: ShouldContinue
) -> FightChances:
    """The chances where a fight stands: of a duel by one solve, else by fights played out.

    `states` and `rolled` are as in `chances`. What mattered is told once a duel is won, for all steps are looked up
    then. A state that the duel can't come to, as after the game master's hand, is played out too. Rules: `turn.order`,
    `act.escape.effect`.
    """
    begun, state = states[0], states[-1]
    why_not = _explain_unavailable(state)
    if why_not:
        return FightChances(note=why_not)
    is_told = bool(state.winner) and len({_list_people(each) for each in states}) == 1
    story, dice = (states, rolled) if is_told else ((begun, state), (False,))
    return _compute_best_chances(story, dice, len(story) - 1, go_on)


def compute_chances_before_fight(state: EncounterState, go_on: ShouldContinue) -> FightChances:
    """The chances before anything is rolled, each fight with an initiative of its own; then what would make it even.

    Rules: `turn.initiative-roll`, `turn.order`, `act.escape.effect`.
    """
    why_not = _explain_unavailable(state)
    if why_not:
        return FightChances(note=why_not)
    found = _play_out((state,), 0, go_on)
    if found.is_incomplete:
        return found
    even, is_all = _balance_jobs.advance(state, lambda: _run_balance_job(state), go_on)
    return replace(found, balance_text=even or "", is_incomplete=not is_all)


def _compute_best_chances(
    states: Sequence[EncounterState], rolled: Sequence[bool], step: int, go_on: ShouldContinue
) -> FightChances:
    """Exact chances where the duel that began is still on and can be solved, else those of fights played out."""
    is_small = len(states[0].fighters) == 2 and max(each.hp for each in states[0].fighters) <= MAX_DUEL_HP
    if states[0].phase == "running" and is_small and _list_people(states[0]) == _list_people(states[step]):
        found = _solve_duel(states, rolled, step, go_on)
        if found.current_chances or found.is_incomplete:
            return found
    return _play_out(states, step, go_on)


def _build_fight_chances(
    found: Sequence[SideChances | None], step: int, mattered: int = 0, fights: int = 0, more: bool = False
) -> FightChances:
    """The chances at a step, and at all where they are known; None where they aren't."""
    steps = tuple(
        StepChances(n, tuple(each.words for each in both), round(100 - 50 * (both[0].low + both[0].high), 2))
        for n, both in enumerate(found)
        if both
    )
    here = tuple((each.side, each.words) for each in found[step] or ())
    return FightChances(here, steps, len(found) - 1, mattered, fights, is_incomplete=more)


def _list_people(state: EncounterState) -> tuple[tuple[str, str, frozenset[str]], ...]:
    """List who is there, and what is around them: where these differ, other acts are open."""
    return tuple((each.id, each.side, each.here) for each in state.fighters)


def _explain_unavailable(state: EncounterState) -> str:
    if state.board is not None:
        return "Win chances aren't available for fights on a map."
    if len(_list_sides(state)) != 2:
        return "Win chances need exactly two sides."
    if state.phase == "over" and not state.winner:
        return "Win chances are shown until the fight ends."
    return ""


# A duel: solved once, then looked up


def _solve_duel(
    states: Sequence[EncounterState], rolled: Sequence[bool], step: int, go_on: ShouldContinue
) -> FightChances:
    begun = states[0]
    game, is_all = _game_jobs.advance(begun, lambda: _run_duel_job(begun), go_on)
    if not is_all or game is None:
        return FightChances(step_count=len(states) - 1, is_incomplete=not is_all)
    people = _list_people(begun)
    found = [_find_in_game(game, state) if _list_people(state) == people else None for state in states]
    return _build_fight_chances(found, step, _find_decisive_step(found, rolled, states[-1].winner))


def _run_duel_job(begun: EncounterState) -> Iterator[Game | None]:
    game = Game([begun], "loss")
    for number, _ in enumerate(game.solve_in_steps()):
        if number >= MAX_DUEL_PIECES:
            return
        yield None
    yield game


def _find_in_game(game: Game, state: EncounterState) -> SideChances | None:
    """Both chances in a state; None for one that the game can't come to, as after the game master's hand."""
    try:
        one, other = game.compute_guaranteed_chances(state)
    except ScratchError:
        return None
    return SideChance(one, one, game.sides[0]), SideChance(other, other, game.sides[1])


def _find_in_table(state: EncounterState, table: WinProbabilityTable) -> SideChances | None:
    found = table.chances.get(build_state_key(state))
    if found is None:
        return None
    one, other = state.sides
    return SideChance(found, found, one), SideChance(1 - found, 1 - found, other)


def _find_decisive_step(found: Sequence[SideChances | None], rolled: Sequence[bool], winner: str) -> int:
    """The step whose dice changed the winner's chance most, from 1; 0 for none."""
    best, mattered = 0.0, 0
    for step, is_rolled in enumerate(rolled, 1):
        before, after = _find_side_chance(found[step - 1], winner), _find_side_chance(found[step], winner)
        if not is_rolled or before is None or after is None:
            continue
        change = max(after.low - before.high, before.low - after.high)
        if change > best:
            best, mattered = change, step
    return mattered


def _find_side_chance(both: SideChances | None, side: str) -> SideChance | None:
    return next((each for each in both or () if each.side == side), None)


# Anything larger: fights played out from one step


def _play_out(states: Sequence[EncounterState], step: int, go_on: ShouldContinue) -> FightChances:
    """The chances at one step alone; where one side is left there is nothing to play."""
    state, is_all = states[step], True
    found: list[SideChances | None] = [None] * len(states)
    tally = Tally(0, {})
    if state.winner and state.phase != "before":
        sure = {side: float(side == state.winner) for side in _list_sides(state)}
        found[step] = tuple(SideChance(chance, chance, side) for side, chance in sure.items())
    else:
        known, is_all = _tally_jobs.advance(state, lambda: _run_playout_job(state), go_on)
        tally = known or tally
        found[step] = tuple(SideChance(*tally.confidence_interval(side), side) for side in _list_sides(state))
    return _build_fight_chances(found, step, fights=tally.fights, more=not is_all)


def _list_sides(state: EncounterState) -> tuple[str, ...]:
    """List the sides of the present fighters, and of those left when others are gone."""
    there = dict.fromkeys(each.side for each in state.fighters if not each.gone)
    return tuple(there) if len(there) > 1 else state.sides


def _run_playout_job(state: EncounterState) -> Iterator[Tally | None]:
    dice, tally = SeededRoller(PLAYOUT_SEED), Tally(0, {})
    sides = _list_sides(state)
    reach = 1.0
    while tally.fights < MIN_PLAYOUTS or reach > (
        TARGET_MARGIN if state.phase == "running" else TARGET_MARGIN_BEFORE_FIGHT
    ):
        tally = _play_one_fight(state, dice, tally)
        reach = max((high - low) / 2 for low, high in map(tally.confidence_interval, sides))
        yield tally


def _play_one_fight(state: EncounterState, dice: Roller, tally: Tally) -> Tally:
    """One more fight; one that has not begun begins with an initiative of its own."""
    begun = apply_events(state, begin(state, dice).events) if state.phase == "before" else state
    return play_out_many(begun, dict.fromkeys(_list_sides(state), choose_sensible_action), dice, 1, tally)


# What would make a fight even


def _run_balance_job(state: EncounterState) -> Iterator[str | None]:
    """One more or one less of someone, or a level: of all these the one that comes nearest to even.

    Where one change would not do, it is several more or several less, one after the other.
    """
    tally, _ = _tally_jobs.advance(state, lambda: _run_playout_job(state), lambda: False)
    assert tally is not None, "it is asked for once the chances are known"
    weak, strong = sorted(_list_sides(state), key=lambda side: tally.wins.get(side, 0))
    share = tally.win_share(weak)
    best, words, said = 0.5 - share - 0.05, "", ""
    steps = (
        _list_large_changes(state, weak, strong)
        if share < HOPELESS_WIN_SHARE
        else _list_small_changes(state, weak, strong)
    )
    for said, other in steps if best > 0 else ():
        dice, found = SeededRoller(PLAYOUT_SEED), Tally(0, {})
        while found.fights < (PLAYOUTS_PER_CANDIDATE if found.wins.get(weak) else PLAYOUTS_PER_CANDIDATE // 3):
            found = _play_one_fight(other, dice, found)
            yield None
        now = found.win_share(weak)
        if abs(now - 0.5) < best:
            low, high = found.confidence_interval(weak)
            best, words = abs(now - 0.5), f"More even {said}: {SideChance(low, high, weak).words} for {weak}."
            yield words
        if share < HOPELESS_WIN_SHARE and now >= 0.5:
            break
    yield words or (f"Still uneven {said}." if said and share < HOPELESS_WIN_SHARE else "")


def _list_large_changes(state: EncounterState, weak: str, strong: str) -> Iterator[tuple[str, EncounterState]]:
    """Yield fights with fewer and fewer of the game master's side, the weakest first; or with more if it is weak."""
    side = strong if is_players_side(weak) else weak
    least = [each for each in reversed(state.fighters) if each.side == side and each.character.lines]
    least.sort(key=lambda each: sum(line.level for line in each.character.lines))
    if is_players_side(side) or not least:
        return
    for count in range(1, len(least)) if side == strong else range(1, MAX_ADDED_FIGHTERS + 1):
        if side == strong:
            gone = least[:count]
            said = f"without {join_words([each.name for each in state.fighters if each in gone])}"
            yield said, build_initial_state(tuple(each for each in state.fighters if each not in gone), state.rulings)
        else:
            who = least[-1]
            further = [_copy_fighter(who, f"{who.id} again {number}") for number in range(count)]
            yield (
                f"with {'one' if count == 1 else count} more {who.name}",
                build_initial_state((*state.fighters, *further), state.rulings),
            )


def _copy_fighter(who: Fighter, name: str) -> Fighter:
    group = name if who.group == who.id else who.group
    return replace(who, id=name, group=group, character=replace(who.character, name=name))


def _list_small_changes(state: EncounterState, weak: str, strong: str) -> Iterator[tuple[str, EncounterState]]:
    """Yield fights that differ by one character or one level, in words and as they would begin; of namesakes the first.

    The players' side stays as it is, for the game master doesn't change their characters.
    """
    people = {(each.side, each.character.lines): each for each in reversed(state.fighters) if each.character.lines}
    for who in reversed(people.values()):
        if is_players_side(who.side):
            continue
        rest = tuple(each for each in state.fighters if each is not who)
        if who.side == weak:
            further = _copy_fighter(who, f"{who.id} again")
            yield f"with one more {who.name}", build_initial_state((*state.fighters, further), state.rulings)
        elif any(each.side == strong for each in rest):
            yield f"without {who.name}", build_initial_state(rest, state.rulings)
        best = max(who.character.lines, key=lambda each: each.level)
        level = best.level + (1 if who.side == weak else -1)
        if level:
            yield f"with {best.ability} {level} for {who.name}", _with_level(state, who, best, level)


def _with_level(state: EncounterState, who: Fighter, line: AbilityLevel, level: int) -> EncounterState:
    """The fight with another level of someone, as it would begin; who is wounded has no more hit points for it."""
    lines = tuple(replace(each, level=level) if each is line else each for each in who.character.lines)
    again = build_fighter(
        replace(who.character, lines=lines),
        name=who.name,
        side=who.side,
        group=who.group,
        here=who.here,
        rulings=state.rulings,
    )
    if who.hp < who.numbers.max_hp:
        again = replace(again, hp=min(who.hp, again.hp))
    return build_initial_state(tuple(again if each is who else each for each in state.fighters), state.rulings)
