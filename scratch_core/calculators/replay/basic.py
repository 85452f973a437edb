"""The replay of a fight by the basic rules: its controls, the fields of its steps, its view."""

from __future__ import annotations

from dataclasses import replace

from scratch_core.calculators.query import Query
from scratch_core.calculators.replay.answering import EDITS, answer_at, groups, initiative_faces, step_fields
from scratch_core.calculators.replay.board import BOARD_EDITS, board_actions
from scratch_core.calculators.replay.changes import KEYS, changed_step
from scratch_core.calculators.replay.reading import Reading, Taken
from scratch_core.calculators.replay.shown import BASIC_ACTIONS, BASIC_SWITCHES, WAY_WORDS, View
from scratch_core.calculators.replay.stories import Failed, Language, Story
from scratch_core.calculators.replay.telling import Place, summary
from scratch_core.catalogue import Rulings, setting_words
from scratch_core.errors import Problem, shown
from scratch_core.scenario import SHIPPED, WAYS


class BasicReading(Reading):
    """One query of a replay by the basic rules, or of none."""

    language = Language(KEYS, changed_step)
    switches = BASIC_SWITCHES
    more = ("way", "odds")

    def __init__(self, query: Query) -> None:
        super().__init__(query)
        self.chosen: dict[str, str] = {}
        self.place: Place | None = None

    def view(self) -> View:
        """Answer the query; what can't be read is among its problems."""
        place = self.place = self.shown_place()
        answer = answer_at(place) if place else None
        if answer and place and self.is_way_alone(place):
            answer = replace(answer, labels=(WAY_WORDS.get(self.fields["way"], "").lower(), "by the rules"))
        return View(
            query=self.canonical,
            summary=summary(answer, answer.now if answer else None),
            problems=tuple(self.problems),
            fields=self.fields,
            is_shipped=self.text == SHIPPED["worked-combat"],
            way=self.way,
            dice=self.dice,
            rulings=place.story.played.scenario.rulings if place else Rulings(),
            answer=answer,
            actions=board_actions() if answer and answer.board else BASIC_ACTIONS,
        )

    @property
    def way(self) -> str:
        """The way of playing that is asked for, "" for none, and for what is none."""
        return self.fields["way"] if self.fields["way"] in WAYS else ""

    def is_way_alone(self, place: Place) -> bool:
        """Whether the worked combat is played in one of its ways, and nothing else is changed."""
        is_worked = place.text == SHIPPED["worked-combat"] and not place.changes
        return is_worked and self.chosen == _rulings_of(self.fields["way"])

    def rulings(self, story: Story | Failed) -> tuple[tuple[str, str], ...]:
        """The rulings asked for, those of a way among them; one that can't be read is left as it stands."""
        if self.fields["way"] and not self.way:
            expected = f"one of {', '.join(WAYS)}"
            self.problems.append(Problem("replay.way", expected, shown(self.fields["way"]), "way"))
        self.chosen = _rulings_of(self.way) | self.rulings_typed()
        return tuple(sorted(self.chosen.items()))

    def thrown_fields(self, original: Story, story: Story) -> Taken:
        """The faces of each group."""
        for group in groups(story.played.begun):
            if group.control:
                typed = self.typed(group.control, group.faces)
                yield ("0", group.name), typed, group.faces, initiative_faces(original, group.name)

    def step_fields(self, label: str, original: Story, story: Story) -> Taken:
        """The fields of a step; who acts, and what is done, can't be nothing."""
        ours = step_fields(story.played.records[story.labels.index(label)])
        theirs = step_fields(original.played.records[int(label) - 1]) if label.isdigit() else {}
        for key in (*EDITS, *BOARD_EDITS) if story.played.scenario.board else EDITS:
            typed = self.typed(f"{key}_{label}", "" if self.is_taken(label) else ours[key])
            if typed or key not in ("actor", "do"):
                yield (label, key), typed, ours[key], theirs.get(key, "")

    def is_taken(self, label: str) -> bool:
        """Whether the query has any of a step's fields: then a field that is not there is empty."""
        return any(f"{key}_{label}" in self.query for key in (*EDITS, *BOARD_EDITS))


def _rulings_of(way: str) -> dict[str, str]:
    """The rulings of a way of playing, by name."""
    return {name: setting_words(value) for name, value in WAYS.get(way, {}).items()}
