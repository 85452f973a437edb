"""Values of the other controls, so that a hostile input is not the only one."""

import json

from scratch_core.calculators.shared.query import format_query
from scratch_core.scenario import SAMPLE_SCENARIOS, build_worked_combat

WORKED = build_worked_combat().tree


COMPANY = {
    "dice": "roll=2d20kh1%2B3&against=13&faces=9,12",
    "character": "name=Eve&shooting=2&toughness=3&command=4&minions=2%20toughness&cp=12&max_level=5",
    "board": "map=..../..%23.&tokens=kim@0,0,blue%20rook@3,1,red&selected=kim&space=2,0&quickness=2&cover=1,1",
    "house": "cp=14&max_level=5&strength_base=8",
    "initiative": "who=Ash:%20stealth%203%0ABirch:%20reach%202&system=mano&ambush=Ash%20fails&faces=ash%2012",
    "odds": "first=rat&second=rat&here=level&begins=first&escape=loss",
    "replay": "scenario=worked-combat&step=4&fork=4.faces%3D1,2&way=base-8",
    "replay-taken": "scenario=worked-combat&step=4&fork=4.*&do_4=shoot&target_4=flipfire",
    "replay-begun": "scenario=worked-combat&step=0&fork=0.*",
    "fight": format_query(
        {
            "log": json.dumps({**WORKED, "steps": WORKED["steps"][:4], "expect": {}}),
            "act": '{"actor":"chokestar","do":"hold","with":"wrestling","target":"breakhelm"}',
            "faces": "11",
        }
    ),
    "fight-check": format_query(
        {"log": SAMPLE_SCENARIOS["worked-combat"], "act": "check", "faces": "11", "check_difficulty": "3"}
    ),
    "fight-setup": format_query(
        {"log": "begin", "sheets": "A\nside: x\n2 fighting\n\nB\nside: y", "initiative": "a 3, b 4"}
    ),
}
"""Values of the other controls, so that a hostile input is not the only one."""
