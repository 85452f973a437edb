"""The names that `scratch_core` exports for scripts."""

import subprocess
import sys

import pytest

import scratch_core
from scratch_core import Action, Character, CharacterCheck, Problem, ScratchError
from scratch_core.cast import get_member
from tests.support.known import require

PRINT_MODULES = "import sys\nprint(*sorted(name for name in sys.modules if name.startswith('scratch_core.')))"


def list_modules_after(code: str) -> list[str]:
    """Run code in a new interpreter, and list the modules of ours that it loaded."""
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\n{PRINT_MODULES}"], capture_output=True, text=True, check=True
    )
    return done.stdout.split()


@pytest.mark.heavy
def test_import_of_the_package_loads_no_other_module() -> None:
    """A script pays only for the names that it uses."""
    assert list_modules_after("import scratch_core") == []


@pytest.mark.heavy
def test_roll_loads_neither_characters_nor_fights() -> None:
    """Dice need few modules."""
    loaded = {name.split(".")[1] for name in list_modules_after("from scratch_core import chance, roll")}
    assert loaded == {"api", "dice", "errors", "figures", "normalization"}


@pytest.mark.parametrize("name", scratch_core.__all__)
def test_public_name_is_listed_and_documented(name: str) -> None:
    """Functions and classes have docstrings."""
    value = getattr(scratch_core, name)
    assert name in dir(scratch_core)
    assert not callable(value) or value.__doc__


def test_unknown_name_raises_an_attribute_error() -> None:
    """The error names the attribute."""
    with pytest.raises(AttributeError, match="no attribute 'rol'"):
        scratch_core.rol  # noqa: B018


def test_text_that_is_no_stat_block_gives_problems_and_no_character() -> None:
    """Nothing is raised."""
    checked = scratch_core.check_character("5 flghting")
    assert isinstance(checked, CharacterCheck)
    assert checked.character is None
    assert not checked.is_valid
    assert isinstance(checked.problems[0], Problem)


def test_advice_alone_leaves_a_character_valid() -> None:
    """The character has two abilities, and most have three to six."""
    checked = scratch_core.check_character("Bo\n4 fighting\n4 toughness")
    assert isinstance(checked.character, Character)
    assert [each.severity for each in checked.problems] == ["advice", "advice"]
    assert checked.is_valid


def test_two_characters_of_one_name_cannot_start_a_fight() -> None:
    """Actions name their targets."""
    duellist = get_member("duellist").build_character()
    with pytest.raises(ScratchError) as raised:
        scratch_core.start_fight({"us": [duellist], "them": [duellist]})
    assert raised.value.code == "fight.same-name"


def test_illegal_action_leaves_the_state_unchanged() -> None:
    """Its decision has the problems."""
    fighters = [scratch_core.get_cast_member(name) for name in ("duellist", "wrestler")]
    state = scratch_core.start_fight({"us": fighters[:1], "them": fighters[1:]}, faces=[15, 8])
    after, decision = scratch_core.act(state, Action("Wrestler", "basic-attack", targets=("Duellist",)), faces=[12])
    assert after == state
    assert [each.rule for each in decision.problems] == ["turn.order"]


def test_duel_of_two_characters_with_one_name_is_theirs() -> None:
    """The names of fighters must differ, and those of characters need not."""
    weak, strong, renamed = (
        require(scratch_core.check_character(f"{lines}\n4 toughness").character)
        for lines in ("Bo\n1 fighting", "Bo\n4 fighting", "Max\n4 fighting")
    )
    assert scratch_core.win_chances(weak, strong) == scratch_core.win_chances(weak, renamed)


def test_duel_in_unknown_surroundings_raises_an_error() -> None:
    """The error lists the known words."""
    duellist = scratch_core.get_cast_member("duellist")
    with pytest.raises(ScratchError, match="level"):
        scratch_core.win_chances(duellist, duellist, surroundings=("lava",))
