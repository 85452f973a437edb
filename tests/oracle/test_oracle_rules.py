"""Coverage of the oracles by their own situations: code that no situation reaches is compared with nothing.

The situations are those that the engine is compared on. `pytest -s` prints how often each rule is broken.
"""

import ast
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType

import coverage
import pytest

from scratch_core.rulebook import RULES
from tests.oracle import board_fight_oracle, fight_oracle, mano_old_oracle, mano_oracle, seize_oracle
from tests.oracle.fights import FIGHTS, LISTED_EVERY, SITUATIONS, oracle_of, outcomes

MODULES: Mapping[str, ModuleType] = {
    "off the board": fight_oracle,
    "on a board": board_fight_oracle,
    "mano": mano_oracle,
    "mano-old": mano_old_oracle,
    "seize": seize_oracle,
}
NOT_MET: Mapping[str, tuple[str, ...]] = {
    "off the board": (
        'raise AssertionError("every character is in a group")',
        'found[key] = tuple(step[key][-1] if key == "path" else step[key])',
    ),
    "on a board": (
        "return 1000",
        'broken.add("grid.move.once")  # the two attacks of the older wrestling rule',
        "return set()",
        "return False",
        "return wrong  # G11",
        'broken |= {"grid.interrupt.what", "act.escape.effect", "grid.interrupt.unable"}',
        'other["used"].append(base.use_of(state, prevented["do"], prevented["target"]))',
        'return state, record_of(step, {"grid.interrupt.what"})',
    ),
    "mano": ("leave_act(state)", "settle(state)", "return {}"),
    "mano-old": (),
    "seize": ("return []", 'state["round"] = 2'),
}
"""Lines of an oracle that no situation reaches yet."""
RULE_IDS = {rule.id for rule in RULES}


def read_tree_of(module: ModuleType) -> ast.Module:
    """Return the syntax tree of a module."""
    return ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))


def find_rules(module: ModuleType) -> set[str]:
    """Return the ids of rules that an oracle names."""
    constants = (node.value for node in ast.walk(read_tree_of(module)) if isinstance(node, ast.Constant))
    return {value for value in constants if isinstance(value, str) and value in RULE_IDS}


def find_lines(module: ModuleType) -> set[int]:
    """Return the lines where the statements of an oracle's functions begin."""
    functions = [node for node in ast.walk(read_tree_of(module)) if isinstance(node, ast.FunctionDef)]
    inside = [inner for node in functions for each in node.body for inner in ast.walk(each)]
    return {node.lineno for node in inside if isinstance(node, ast.stmt)}


@pytest.mark.heavy
@pytest.mark.no_cover
@pytest.mark.parametrize("kind", FIGHTS)
def test_oracle_rules_are_broken_by_its_situations(kind: str) -> None:
    """Every rule of an oracle is broken and every line runs.

    The lines in `NOT_MET` are exceptions.
    """
    module, broken, done, seed = MODULES[kind], Counter[str](), 0, 0
    measured = coverage.Coverage(data_file=None, config_file=False, include=[str(module.__file__)])
    measured.start()
    try:
        while done < SITUATIONS:
            tree = FIGHTS[kind](seed)
            for number, (state, record) in enumerate(outcomes(tree), 1):
                broken.update(record["broken"])
                oracle_of(tree).figures(state)
                if number % LISTED_EVERY == 0 and state.get("order") != []:
                    [oracle_of(tree).canonical(step) for step in oracle_of(tree).legal(state)]
            done += len(tree["steps"])
            seed += 1
    finally:
        measured.stop()
    print(kind, dict(broken.most_common()))
    assert sorted(find_rules(module) - broken.keys()) == []
    text = Path(str(module.__file__)).read_text(encoding="utf-8").splitlines()
    missed = {*measured.analysis2(module)[3]} & find_lines(module)
    lines = [f"line {number}: {text[number - 1].strip()}" for number in sorted(missed)]
    assert [line for line in lines if not line.endswith(NOT_MET[kind])] == []
