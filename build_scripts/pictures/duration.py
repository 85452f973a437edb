"""The picture `duration`: how long "until the end of your next turn" and "until your next turn" are."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from build_scripts.pictures.example_scenario import play_scenario_text
from build_scripts.pictures.record import WIDTH, Picture, join_words
from scratch_core.encounter.engine import apply
from scratch_core.encounter.state import Fighter, TurnBegan, TurnEnded
from scratch_core.scenario import ScenarioResult

_YOU = "you"
_SLOT = 68
_LEFT = 5
_ROW = 104

_CAST = """\
characters = [
  { id = "you", abilities = { knockout = 1, quickness = 2, toughness = 3 } },
  { id = "ann", abilities = { wrestling = 2, toughness = 6 } },
]
"""


@dataclass(frozen=True, slots=True)
class Case:
    """A story to play."""

    title: str
    """Its title."""
    effect_test: Callable[[Fighter], bool]
    """Returns whether the fighter has the effect."""
    effect: str
    """The effect, as a word."""
    text: str
    """The initiative and steps of its fight, as TOML."""


CASES = (  # a step that is not allowed is a lost turn, which "end-turn" ends
    Case(
        "Ann holds you before your turn",
        lambda who: who.is_delayed,
        "delayed",
        """\
initiative = { ann = [15], you = [5] }
steps = [
  { actor = "ann", do = "hold", target = "you", faces = [9] },
  { actor = "you", do = "basic-attack", target = "ann", faces = [5] },
  { actor = "you", do = "end-turn" },
  { actor = "ann", do = "nothing" },
  { actor = "you", do = "basic-attack", target = "ann", faces = [5] },
]
""",
    ),
    Case(
        "You try a knockout on your own turn",
        lambda who: who.is_delayed,
        "delayed",
        """\
initiative = { ann = [5], you = [15] }
steps = [
  { actor = "you", do = "knockout", target = "ann", faces = [5] },
  { actor = "ann", do = "nothing" },
  { actor = "you", do = "basic-attack", target = "ann", faces = [5] },
  { actor = "you", do = "end-turn" },
  { actor = "ann", do = "nothing" },
  { actor = "you", do = "basic-attack", target = "ann", faces = [5] },
]
""",
    ),
    Case(
        "You evade: only until your next turn",
        lambda who: who.evading is not None,
        "evading",
        """\
initiative = { ann = [5], you = [15] }
steps = [
  { actor = "you", do = "evade", with = "quickness" },
  { actor = "ann", do = "nothing" },
  { actor = "you", do = "basic-attack", target = "ann", faces = [5] },
]
""",
    ),
)

_PARTS: dict[type, float] = {TurnBegan: 0.0, TurnEnded: 1.0}
"""The position of an event in a turn: its beginning or its end. Any other event is in the middle."""

_WORDS = {"hold": "holds you", "basic-attack": "attack", "nothing": "", "knockout": "knockout", "evade": "evade"}


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn on the track."""

    x: float
    """The left edge."""
    actor_name: str
    """The name of the actor."""
    label: str
    """The action, as a word; "" for nothing."""
    is_lost: bool
    """Whether the turn is lost."""


@dataclass(frozen=True, slots=True)
class CaseSpan:
    """A story with its turns, and the span of the effect."""

    y: float
    """The top edge."""
    title: str
    """The title."""
    effect: str
    """The effect, as a word."""
    turns: tuple[Turn, ...]
    """The turns."""
    start: float
    """The horizontal position where the effect begins."""
    end: float
    """The horizontal position where the effect ends."""
    description: str
    """The same in words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DurationPicture(Picture):
    """The stories, from top to bottom."""

    spans: tuple[CaseSpan, ...]
    """A span for each story."""
    slot: int = _SLOT
    """The width of a turn."""


def build_picture(fields: Mapping[str, str]) -> DurationPicture:
    """Play the stories, and find out when the effect begins and ends.

    Rules: `cond.delayed.expiry`, `act.knockout.self-delay`, `act.evade.end`.
    """
    spans = tuple(_build_span(case, n * _ROW) for n, case in enumerate(CASES))
    return DurationPicture(
        title='How long "until the end of your next turn" and "until your next turn" last',
        description=" ".join(span.description for span in spans),
        height=_ROW * len(spans) - 8,
        spans=spans,
    )


def _build_span(case: Case, y: float) -> CaseSpan:
    played = play_scenario_text(f'title = "{case.title}"\n{_CAST}{case.text}')
    turns = tuple(
        Turn(
            _LEFT + n * _SLOT,
            "you" if record.actor == _YOU else record.actor.capitalize(),
            _WORDS[record.do] if record.is_legal else "lost",
            not record.is_legal,
        )
        for n, record in enumerate(each for each in played.results if each.do != "end-turn")
    )
    start, end = _get_effect_begin_and_end_x(played, case.effect_test)
    lost = next((n for n, turn in enumerate(turns) if turn.is_lost), None)
    order = join_words(turn.actor_name for turn in turns)
    end_turn = (end - _LEFT) / _SLOT
    end_text = f"the end of turn {end_turn:g}" if lost is not None else f"turn {end_turn + 1:g} begins"
    first_turn = int((start - _LEFT) / _SLOT) + 1
    cost = f" You lose turn {lost + 1}." if lost is not None else ""
    words = f"{case.title}. The turns are {order}. You are {case.effect} from turn {first_turn} until {end_text}.{cost}"
    return CaseSpan(y, case.title, case.effect, turns, start, end, words)


def _get_effect_begin_and_end_x(played: ScenarioResult, has_effect: Callable[[Fighter], bool]) -> tuple[float, float]:
    """Return where the effect begins and ends on the track.

    An action's effect begins or ends in the middle of a turn; others at the turn's edges.
    """
    starts = [x for x, has in _list_effect_presence(played, has_effect) if has]
    ends = [x for x, has in _list_effect_presence(played, has_effect) if not has and x > starts[0]]
    return starts[0], ends[0] if ends else WIDTH - _LEFT


def _list_effect_presence(
    played: ScenarioResult, has_effect: Callable[[Fighter], bool]
) -> Iterator[tuple[float, bool]]:
    """Yield each event's position on the track, and whether the effect exists after it."""
    state, turn = played.opening_state, -1
    for record in played.results:
        for event in record.events:
            state = apply(state, event)
            turn += isinstance(event, TurnBegan)
            part = _PARTS.get(type(event), 0.5)
            yield _LEFT + (turn + part) * _SLOT, has_effect(state.fighter(_YOU))
