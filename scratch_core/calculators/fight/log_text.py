"""The short line of a step in the log: the action and its targets, without the result."""

from __future__ import annotations

import re

from scratch_core.scenario import StepResult
from scratch_core.turn_systems.fight_records import BaseFighter

_RESULT_MARK = re.compile(r": |[.;] |\.$")
"""The end of what was done, in a narration: a result follows, or nothing."""
_SENTENCE_MARK = re.compile(r"[.;] |\.$")
"""The end of the first sentence."""
_NAME_PLACEHOLDER = re.compile("\x02([0-9]+)\x03")


class _PlaceholderReader:
    """A reader who gets a placeholder for each name, since a name may contain a full stop or a colon."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def get_name(self, fighter: BaseFighter) -> str:
        """Return the placeholder of a character's name."""
        self.names.append(fighter.name)
        return f"\x02{len(self.names) - 1}\x03"

    def may_read_numbers_of(self, owner: str) -> bool:
        """Return whether the reader may read the numbers of a character."""
        return True


def shorten_narration(result: StepResult) -> str:
    """Shorten the narration of a step to the action.

    For example `Tolk attacks Gorm` or `Gorm makes two basic attacks`. Of an illegal step, and of a change by the game
    master, it is the first sentence.
    """
    reader = _PlaceholderReader()
    text = result.sentences.write(reader)
    is_plain = result.is_legal and not result.is_gm_action
    end = (_RESULT_MARK if is_plain else _SENTENCE_MARK).search(text)
    head = text[: end.start()] if end else text
    return _NAME_PLACEHOLDER.sub(lambda match: reader.names[int(match[1])], head)
