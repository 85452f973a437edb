"""The characters of the rulebook's examples. What they claim is what was printed; two known misprints are named.

Rule: `char.stat-line`. Rulings: K01 (strength printed with base 8), K02 (the Boss's intelligence without its command).
"""

from __future__ import annotations

from scratch_core.cast.records import Claim, Member
from scratch_core.characters import SAMPLES

_BASE_8 = {"strength": "K01"}

PRINTED: tuple[Member, ...] = (
    Member("chokestar", "printed", Claim(cp=8, max_level=4), SAMPLES["Chokestar"]),
    Member("flipfire", "printed", Claim(cp=10, max_level=4), SAMPLES["Flipfire"], misprints=_BASE_8),
    Member("breakhelm-x-19", "printed", Claim(cp=14, max_level=6), SAMPLES["Breakhelm X-19"], misprints=_BASE_8),
    Member("zimzambamalam", "printed", Claim(cp=10, max_level=8), SAMPLES["Zimzambamalam"], misprints=_BASE_8),
    Member(
        "the-boss",
        "printed",
        Claim(cp=10, max_level=4),
        SAMPLES["The Boss"],
        minions=("thug", "thug"),
        misprints={"intelligence": "K02", **_BASE_8},
    ),
    Member("thug", "printed", Claim(cp=2, max_level=4), SAMPLES["Thug"], misprints=_BASE_8),
)
