"""The picture `duration`: what "until the end of your next turn" spans, and what "until your next turn" does."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from build_scripts.pictures.example_scenario import play_text
from build_scripts.pictures.record import WIDTH, Picture
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
    """One story to play: its title, what is watched, and a fight's initiative and steps."""

    title: str
    effect_test: Callable[[Fighter], bool]
    effect: str
    text: str


CASES = (  # a step refused is a turn lost; it ends by "end-turn"
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
        "You try a knockout in your own turn",
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
"""Where in a turn an event stands: at its beginning or its end; any other half way."""

_WORDS = {"hold": "holds you", "basic-attack": "attack", "nothing": "", "knockout": "knockout", "evade": "evade"}


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn on the track: where it begins, whose it is, what it holds, and whether it is lost."""

    x: float
    actor_name: str
    label: str
    is_lost: bool


@dataclass(frozen=True, slots=True)
class CaseSpan:
    """One story: its turns, and from where to where the effect lasts; `description` tell the same."""

    y: float
    title: str
    effect: str
    turns: tuple[Turn, ...]
    start: float
    end: float
    description: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DurationPicture(Picture):
    """The stories below each other; a turn is `slot` wide."""

    spans: tuple[CaseSpan, ...]
    slot: int = _SLOT


def build_picture(fields: Mapping[str, str]) -> DurationPicture:
    """Play the stories and read off when the effect is there.

    Rules: `cond.delayed.expiry`, `act.knockout.self-delay`, `act.evade.end`.
    """
    spans = tuple(_build_span(case, n * _ROW) for n, case in enumerate(CASES))
    return DurationPicture(
        title="How long until the end of your next turn is, and until your next turn",
        description=" ".join(span.description for span in spans),
        height=_ROW * len(spans) - 8,
        spans=spans,
    )


def _build_span(case: Case, y: float) -> CaseSpan:
    played = play_text(f'title = "{case.title}"\n{_CAST}{case.text}')
    turns = tuple(
        Turn(
            _LEFT + n * _SLOT,
            "you" if record.actor == _YOU else record.actor.capitalize(),
            _WORDS[record.do] if record.is_legal else "lost",
            not record.is_legal,
        )
        for n, record in enumerate(each for each in played.results if each.do != "end-turn")
    )
    start, end = _find_effect_ends(played, case.effect_test)
    lost = next((n for n, turn in enumerate(turns) if turn.is_lost), None)
    order = ", ".join(turn.actor_name for turn in turns)
    place = (end - _LEFT) / _SLOT
    where = f"at the end of turn {place:g}" if lost is not None else f"as turn {place + 1:g} begins"
    begun = int((start - _LEFT) / _SLOT) + 1
    cost = f" You lose turn {lost + 1}." if lost is not None else ""
    words = (
        f"{case.title}. The turns are {order}. You are {case.effect} from turn {begun} on; it is over {where}.{cost}"
    )
    return CaseSpan(y, case.title, case.effect, turns, start, end, words)


def _find_effect_ends(played: ScenarioResult, watched: Callable[[Fighter], bool]) -> tuple[float, float]:
    """Where the effect begins and ends on the track: in the middle of a turn by an act, at its edges by its edges."""
    there = [place for place, has in _list_effect_changes(played, watched) if has]
    gone = [place for place, has in _list_effect_changes(played, watched) if not has and place > there[0]]
    return there[0], gone[0] if gone else WIDTH - _LEFT


def _list_effect_changes(played: ScenarioResult, watched: Callable[[Fighter], bool]) -> Iterator[tuple[float, bool]]:
    """After each event: its place on the track, and whether the effect is there."""
    state, turn = played.opening_state, -1
    for record in played.results:
        for event in record.events:
            state = apply(state, event)
            turn += isinstance(event, TurnBegan)
            part = _PARTS.get(type(event), 0.5)
            yield _LEFT + (turn + part) * _SLOT, watched(state.fighter(_YOU))
