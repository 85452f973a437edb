"""A fight on a map of the fight calculator for tests."""

from scratch_core.calculators.fight import View
from scratch_core.dice import SystemRoller
from tests.support.fights import view_fight

MAP = "..........\n..##......\n..##..^^..\n....~~^^..\n.......E.."
SHEETS = """side: hunters

Kim
2 fighting
2 shooting
3 toughness
at: 5,0

Lou
1 blasting
2 wrestling
3 toughness

side: guards

Rook
2 fighting
3 toughness
at: 6,0

Bo
1 wrestling
3 toughness
"""
FACES = "kim 20, rook 15, lou 12, bo 3"


def view_begun_board_fight(**fields: str) -> View:
    """Begin a fight on a map and return its view.

    Kim is next to Rook; Lou and Bo have no space yet and start at the edges of their sides.
    """
    given = {"log": "begin", "sheets": SHEETS, "map": MAP, "initiative": FACES, **fields}
    seen = view_fight(SystemRoller(), **given)
    assert seen.phase == "fight", seen.problems
    return seen
