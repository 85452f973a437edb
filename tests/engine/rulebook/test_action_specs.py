"""Action specs: a fact about an action is in its spec alone, and all other code reads it there."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import scratch_core
from scratch_core.encounter.actions import RESOLVE, TurnContext
from scratch_core.encounter.actions.attacks import attack_target_problems, can_attack
from scratch_core.encounter.actions.legality import list_available_action_names, target_independent_problems
from scratch_core.encounter.actions.preconditions import ATTACKS
from scratch_core.encounter.actions.support import HEALING, can_heal_or_revive, healing_target_problems
from scratch_core.encounter.engine import apply_events, plan_events_until_turn_start
from scratch_core.rulebook.actions import ACTION_SPECS
from scratch_core.scenario import play, scenario_from_dict
from tests.oracle import board_fight_situations, fight_situations

PACKAGE = Path(scratch_core.__file__).parent
ROOT = PACKAGE.parent

# Names of actions outside their specs

CARD_MODULE = "rulebook/actions.py"
HOMONYMS = {
    "rulebook/abilities.py": {"knockout": "the ability"},
    "encounter/actions/attacks.py": {"nothing": "in a sentence: nothing at hand"},
    "encounter/actions/ability_choice.py": {"knockout": "the ability"},
    "encounter/actions/current_figures.py": {"engage": "the name of a part of a sum"},
    "encounter/actions/interrupts.py": {"move": "in a sentence: a move"},
    "encounter/actions/support.py": {"bonus": "a choice of the ruling on failed hurries"},
    "encounter/gm_actions.py": {"bonus": "what an evade that the game master gives adds"},
    "calculators/board/analysis.py": {"blast": "a layer of the drawing"},
    "calculators/board_drawing/state_drawing.py": {"blast": "a layer of the drawing"},
    "calculators/fight/gm_panel.py": {"bonus": "what an evade that the game master gives adds"},
    "calculators/dice/answer.py": {"bonus": "a control of the form"},
    "calculators/dice/request.py": {"bonus": "a control of the form"},
    "calculators/fight/variant_menu.py": {"move": "an act of Mano a Mano, with rules of its own"},
    "calculators/odds/request.py": {"escape": "a control of the form"},
    "calculators/initiative/participants.py": {"bonus": "a bonus on initiative"},
    "characters/random_character.py": {"knockout": "the ability"},
    "rulebook/action_spec.py": {"bonus": "a kind of action"},
    "rulebook/rule_options.py": {"bonus": "a choice of the ruling on failed hurries"},
    "characters/crafting.py": {"bonus": "a choice of the ruling on failed hurries", "craft": "the name of a sum"},
    "characters/stat_block_parser.py": {"nothing": "in a sentence: got nothing"},
    "cli/__init__.py": {"check": "the command that checks a sheet"},
    "cli/check.py": {"check": "the command that checks a sheet"},
    "dice/__init__.py": {"check": "the function that judges a face", "throw": "the function that throws a die"},
    "errors.py": {"nothing": "in a sentence: got nothing"},
    "dice/inputs.py": {"nothing": "in a sentence: got nothing"},
    "dice/notation.py": {"nothing": "in a sentence: got nothing"},
    "odds/playouts.py": {"knockout": "the ability"},
    "odds/game_graph.py": {"bonus": "the field of the event of an evade"},
    "turn_systems/mano/turn_system.py": {"move": "an act of Mano a Mano, with rules of its own"},
    "turn_systems/mano_old/turn_system.py": {
        "end-turn": "an act of Mano a Mano's first revision, with rules of its own",
        "nothing": "in a sentence: got nothing",
    },
    "turn_systems/seize/turn_system.py": {"bonus": "a field of the order of turns with seizing"},
    "scenario/steps.py": {"bonus": "what an evade that the game master gives adds"},
}
"""Words that look like an action's name and are something else, by the module that says them, with what they are."""


def words_of(path: Path) -> Iterator[str]:
    """Every string literal of a module."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def names_told(path: Path) -> set[str]:
    """The actions that a module names, those aside whose function it holds."""
    module = ".".join(("scratch_core", *path.relative_to(PACKAGE).with_suffix("").parts))
    own = {do for do, function in RESOLVE.items() if function.__module__ == module}
    return {word for word in words_of(path) if word in ACTION_SPECS} - own


MODULES = sorted(path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*.py"))


@pytest.mark.heavy
@pytest.mark.parametrize("module", [each for each in MODULES if each != CARD_MODULE])
def test_action_names_occur_only_in_their_specs(module: str) -> None:
    """No other text of the package equals an action's name.

    Exceptions are the spec, the action's function, and words that have another meaning.
    """
    assert names_told(PACKAGE / module) <= set(HOMONYMS.get(module, {}))


def test_every_action_spec_has_a_function() -> None:
    """A function resolves each action except settling, which resolves the pending one."""
    assert set(ACTION_SPECS) - set(RESOLVE) == {"settle"}


# Availability and its reasons


def scenes() -> Iterator[TurnContext]:
    """Moments of random fights, with and without a board, in which someone may act next."""
    for make in (fight_situations.random_tree, board_fight_situations.random_tree):
        for seed in range(12):
            for state in play(scenario_from_dict(make(seed))).states:
                for who in state.fighters if state.phase == "running" else ():
                    entered = apply_events(state, plan_events_until_turn_start(state, who.id).events)
                    yield TurnContext(entered, entered.fighter(who.id))


@pytest.mark.no_cover
@pytest.mark.heavy
def test_availability_agrees_with_the_problems() -> None:
    """An action is available exactly where it has no problems.

    A target is allowed exactly where it has none, too.
    """
    for scene in scenes():
        turn = [
            do for do in ACTION_SPECS if do in (*ATTACKS, *HEALING, "escape", "engage", "take-cover", "leave-cover")
        ]
        is_open = set(list_available_action_names(scene))
        assert {do for do in turn if do in is_open} == {
            do for do in turn if do != "interrupt" and not target_independent_problems(scene, do)
        }
        for target in scene.state.fighters:
            for do in ATTACKS - {"interrupt"}:
                assert can_attack(scene, do, target) == (not attack_target_problems(scene, do, target)), (do, target.id)
            for do in HEALING:
                assert can_heal_or_revive(scene, do, target) == (not healing_target_problems(scene, do, target)), (
                    do,
                    target.id,
                )
