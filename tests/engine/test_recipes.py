"""The recipes of docs/contributing: their code, put into a copy of the engine, plays."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import scratch_core

PACKAGE = Path(scratch_core.__file__).parent
ROOT = PACKAGE.parent

pytestmark = pytest.mark.needs_process


def run(home: Path, script: str) -> list[str]:
    """The lines printed by a script that runs with a copy of the engine."""
    done = subprocess.run([sys.executable, "-c", script], cwd=home, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the engine, to be changed."""
    shutil.copytree(PACKAGE, tmp_path / "scratch_core", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def edit(path: Path, old: str, new: str) -> None:
    """Replace a text that occurs once."""
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1, (path.name, old, text.count(old))
    path.write_text(text.replace(old, new), encoding="utf-8")


def add(path: Path, table: str, entry: str, end: str = "\n)") -> None:
    """Insert an entry before the end of the table with this beginning."""
    before, begun, rest = path.read_text(encoding="utf-8").partition(table)
    inside, closed, after = rest.partition(end)
    assert begun + closed == table + end, (path.name, table)
    path.write_text(f"{before}{begun}{inside}{entry}{closed}{after}", encoding="utf-8")


def recipe(title: str, *kinds: str) -> tuple[str, list[str]]:
    """Return a contributing page's text and its fenced blocks, which have these kinds."""
    text = (ROOT / "docs" / "contributing" / f"{title}.md").read_text(encoding="utf-8")
    fenced = re.findall(r"^    ```(\w+)\n(.*?)^    ```$", text, re.MULTILINE | re.DOTALL)
    assert [kind for kind, _ in fenced] == list(kinds)
    return text, [re.sub(r"^    ", "", block, flags=re.MULTILINE) for _, block in fenced]


def _indent(code: str, spaces: int) -> str:
    """Indent the lines of a fenced block."""
    return re.sub(r"^(?=.)", " " * spaces, code, flags=re.MULTILINE)


def touched(home: Path) -> set[str]:
    """The files of the package that a recipe has changed or added in a copy."""
    files = [path.relative_to(home / "scratch_core") for path in (home / "scratch_core").rglob("*.py")]
    known = {each: (PACKAGE / each).read_bytes() for each in files if (PACKAGE / each).exists()}
    return {each.as_posix() for each in files if known.get(each) != (home / "scratch_core" / each).read_bytes()}


ACTIONS = "rulebook/actions.py"
BASIC_RULES = "rulebook/basic_rules.py"

SHOT = """
from scratch_core.encounter.actions import Action
from scratch_core.rulebook import ACTIONS
from scratch_core.encounter import decide
from scratch_core.scenario import play, scenario_from_dict
people = [{"id": "a", "abilities": {"shooting": 2, "toughness": 9}}, {"id": "b", "abilities": {"toughness": 9}}]
fight = {"format": "scratch-scenario/1", "title": "A shot", "system": "scratch", "characters": people,
         "initiative": {"a": [20], "b": [1]}, "steps": []}
state = play(scenario_from_dict(fight)).final_state
print(next(action.effect for action in ACTIONS if action.do == "shoot"))
print(decide(state, Action("a", "shoot", ("b",)), [12]).narration)
"""


def test_changed_damage_appears_everywhere(copy: Path) -> None:
    """A changed damage in shooting's spec appears everywhere.

    That is the quick reference, the engine and the log.
    """
    edit(copy / "scratch_core" / ACTIONS, "    damage=2,\n    on_20=5,", "    damage=3,\n    on_20=5,")
    effect, say = run(copy, SHOT)
    assert effect == "3 damage, 5 on a 20."
    assert say.endswith("3 damage, 6 hit points left.")


PLAYED = """
from urllib.parse import quote
from scratch_core.calculators import fight
from scratch_core.calculators.shared.share_links import pack_fields, unpack_fields
from scratch_core.calculators.shared.query import parse_query
from scratch_core.scenario import parse_scenario, play
text = open("case.toml", encoding="utf-8").read()
played = play(parse_scenario(text.encode()))
print([each.message for each in (*played.differences, *played.problems)])
log = text.split("steps = [")[0] + "steps = []"
assert unpack_fields(pack_fields({"log": log})) == {"log": log}
shown = repr(fight.view(parse_query("log=" + quote(log), fight.MAX_QUERY_LENGTH), None))
"""

TRIPPED = """
from scratch_core.rulebook import ACTIONS
from scratch_core.encounter import legal_action_names
print("trip" in legal_action_names(played.states[0], "b"), "trip" in legal_action_names(played.final_state, "a"))
print(next(action.effect for action in ACTIONS if action.do == "trip"))
print("Trip" in shown)
"""


def test_recipe_for_new_action_works(copy: Path) -> None:
    """A spec, a function, a rule and a case make a new action.

    It is listed, played and described.
    """
    text, (card, function, case) = recipe("action", "python", "python", "toml")
    home = copy / "scratch_core"
    edit(home / ACTIONS, "ACTIONS: Final = (\n    BASIC_ATTACK,", f"{card}\nACTIONS: Final = (\n    BASIC_ATTACK,")
    add(home / ACTIONS, "\nACTIONS: Final = (", "\n    TRIP,")
    table = "RESOLVE: dict[str, Callable[[TurnContext, Action, RollD20], ActionOutcome]] = {\n"
    edit(home / "encounter/actions/attacks.py", table, f'{function}\n\n{table}    "trip": resolve_trip,\n')
    assert "`act.trip | Trip`" in text
    line = "        act.intimidate | Intimidate\n"
    edit(home / BASIC_RULES, line, f"{line}        act.trip | Trip\n")
    (copy / "case.toml").write_text(case, encoding="utf-8")
    assert run(copy, PLAYED + TRIPPED) == [
        "[]",
        "True False",
        "Ends the target's evade, and 1 damage, 2 on a 20.",
        "True",
    ]
    assert touched(copy) == {ACTIONS, "encounter/actions/attacks.py", BASIC_RULES}


REFUSED = """
from scratch_core.calculators.shared.problem_sentences import format_problem_sentence
from scratch_core.encounter import check_action, legal_action_names
from scratch_core.encounter.actions import Action
state = played.states[0]
print("throw" in legal_action_names(state, "a"))
print(*(format_problem_sentence(each) for each in check_action(state, Action("a", "throw", ("b",)))))
"""


def test_recipe_for_new_reason_works(copy: Path) -> None:
    """A precondition, a sentence and a case make an action illegal, and say why."""
    _, (function, entry, sentence, case) = recipe("reason", "python", "python", "python", "toml")
    attacks = copy / "scratch_core/encounter/actions/attacks.py"
    text = attacks.read_text(encoding="utf-8")
    before, table, rest = text.partition("ACTION_PRECONDITIONS = {\n")
    _, next_key, after = rest.partition('    "double-attack"')
    attacks.write_text(f"{before}{function}\n\n{table}{entry}{next_key}{after}", encoding="utf-8")
    sentences = "calculators/shared/problem_sentences.py"
    line = '    "throw.nothing-here"'
    edit(copy / "scratch_core" / sentences, line, f"    {sentence.strip()}\n{line}")
    (copy / "case.toml").write_text(case, encoding="utf-8")
    assert run(copy, PLAYED + REFUSED) == [
        "[]",
        "False",
        "a can't throw anything from deep water. Choose another action.",
    ]
    assert touched(copy) == {"encounter/actions/attacks.py", sentences}


HIDDEN_BEHIND = """
from scratch_core.scenario import play, scenario_from_dict
def take_cover(behind):
    people = [{"id": "a", "abilities": {"toughness": 9}, "here": ["cover"]}, {"id": "b", "side": "x"}]
    step = {"actor": "a", "do": "take-cover", "behind": behind}
    fight = {"format": "scratch-scenario/1", "title": "Cover", "system": "scratch", "characters": people,
             "initiative": {"a": [20], "b": [1]}, "steps": [step]}
    [result] = play(scenario_from_dict(fight)).results
    print(result.narration, result.step.action.to_step() == step)
take_cover("tree")
try:
    take_cover("fog")
except Exception as error:
    print(error)
"""


def test_recipe_for_new_field_works(copy: Path) -> None:
    """A field, an attribute and its use make a value that is checked and logged."""
    _, (field, attribute, key, use) = recipe("field", "python", "python", "python", "python")
    actions = copy / "scratch_core/encounter/actions"
    fields = "encounter/action_fields.py"
    add(copy / "scratch_core" / fields, "_OWN_FIELDS: Mapping[str, tuple[Field, ...]] = {", f"\n{field}", "\n}")
    end = "    @property\n    def participants"
    edit(actions / "action.py", end, f"{_indent(attribute, 4)}\n{end}")
    end = "        return written | self._build_board_step_keys()"
    edit(actions / "action.py", end, f"{_indent(key, 8)}{end}")
    turn_actions = actions / "turn_actions.py"
    text = turn_actions.read_text(encoding="utf-8")
    [old] = [line for line in text.splitlines() if "takes cover." in line]
    edit(turn_actions, f"{old}\n", _indent(use, 4))
    taken, refused = run(copy, HIDDEN_BEHIND)
    assert taken == "a takes cover behind a tree. True"
    assert "steps[0].behind" in refused
    assert touched(copy) == {fields, "encounter/actions/action.py", "encounter/actions/turn_actions.py"}


RIDDEN = """
from scratch_core.calculators import character
from scratch_core.rulebook import load_glossary
from scratch_core.characters import AbilityLevel, Character, generate_character_with_any_minion, suggest_name
from scratch_core.dice import SeededRoller
a, b = played.states[0].fighters
print(a.has_terrain_for("riding"), b.has_terrain_for("riding"))
print(suggest_name(Character("", (AbilityLevel("riding", 3), AbilityLevel("stealth", 2)))))
print(suggest_name(Character("", (AbilityLevel("riding", 2), AbilityLevel("stealth", 3)))))
everyone = [each for seed in range(200) for each in generate_character_with_any_minion(SeededRoller(seed))]
print(any(each.base_level("riding") for each in everyone))
print("riding" in [each.name for each in load_glossary()])
print(repr(character.view(parse_query("sheet=Ann%0ARiding%203", 10_000), None)).count("riding.terrain") > 0)
print("riding" in shown)
"""


def test_recipe_for_new_movement_ability_works(copy: Path) -> None:
    """A name, a record, a rule and a case make a new ability.

    It is used everywhere.
    """
    text, (ability, case) = recipe("ability", "python", "toml")
    home = copy / "scratch_core"
    assert '`"riding",`' in text
    add(home / "rulebook/action_spec.py", "MOVEMENT: tuple[str, ...] = (", ', "riding",', ")")
    add(home / "rulebook/abilities.py", "\nABILITIES: tuple[Ability, ...] = (", f"\n{ability},")
    assert "`riding.terrain | Ground for riding`" in text
    line = "        act.intimidate | Intimidate\n"
    edit(home / BASIC_RULES, line, f"{line}        riding.terrain | Ground for riding\n")
    (copy / "case.toml").write_text(case, encoding="utf-8")
    assert run(copy, PLAYED + RIDDEN) == [
        "[]",
        "True False",
        "Silent rider",
        "Mounted prowler",
        *["True"] * 4,
    ]
    assert touched(copy) == {"rulebook/action_spec.py", "rulebook/abilities.py", BASIC_RULES}


AROUND = """
from scratch_core.calculators import initiative
from scratch_core.dice import SystemRoller
lines = quote("Ann: pace 3\\nBo: side blue")
begun = fight.view(parse_query("system=table&log=begin&fighters=" + lines, fight.MAX_QUERY_LENGTH), SystemRoller())
print(begun.problems, begun.summary, "'Act'" in repr(begun), "Around the table" in shown)
faces = "&faces=" + quote("Ann 3, Bo 20, Cy 5")
print(initiative.view(parse_query("system=table&who=" + quote("Ann\\nBo\\nCy") + faces), None).summary)
"""


def test_recipe_for_new_turn_system_works(copy: Path) -> None:
    """A module, its name in two places, rules and a case make a turn system.

    It can be played.
    """
    text, (room, chapter, case) = recipe("turn-system", "python", "python", "toml")
    home = copy / "scratch_core"
    (home / "turn_systems/table.py").write_text(room, encoding="utf-8")
    line = "from scratch_core.turn_systems.table import Table"
    assert f"`{line}`" in text
    edit(
        home / "turn_systems/registry.py",
        "from scratch_core.turn_systems.seize.turn_system import Seize",
        f"{line}\nfrom scratch_core.turn_systems.seize.turn_system import Seize",
    )
    edit(home / "turn_systems/registry.py", "in (MANO, MANO_OLD, SEIZE)", "in (MANO, MANO_OLD, SEIZE, Table())")
    edit(home / "rulebook/records.py", '"mano-old", "seize"]', '"mano-old", "seize", "table"]')
    with (home / "rulebook/variant_rules.py").open("r+", encoding="utf-8") as file:
        known = file.read()
        file.seek(0)
        file.write(known.removesuffix(")\n") + f"*{chapter},)\n")
    (copy / "case.toml").write_text(case, encoding="utf-8")
    assert run(copy, PLAYED + AROUND) == [
        "[]",
        "() The fight begins: Ann goes first. Round 1. Ann's turn. True True",
        "Around the table: Bo 20, Cy 5, Ann 3.",
    ]
    outside = {"turn_systems/registry.py", "rulebook/records.py", "rulebook/variant_rules.py"}
    assert touched(copy) == {"turn_systems/table.py", *outside}
