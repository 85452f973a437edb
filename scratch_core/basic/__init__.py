"""The basic rules as one order of turns among others: `System` over `encounter`, without a board and on one.

Read in this order: `fields` (the keys of steps), `words` (how somebody stands, whose move it is), `waiting` (acts that
may be interrupted), `scratch` (the order itself).
"""

from scratch_core.basic.scratch import SCRATCH, SCRATCH_ON_BOARD, Scratch
from scratch_core.basic.waiting import ANSWERS, Tens
from scratch_core.basic.words import CAUSES, candidates

__all__ = [
    "ANSWERS",
    "CAUSES",
    "SCRATCH",
    "SCRATCH_ON_BOARD",
    "Scratch",
    "Tens",
    "candidates",
]
