"""Values of small games in which a fight may never end."""

import pytest

from scratch_core.odds.value_iteration import Block, map_endless_nodes_to_actions, solve_block


def trap(begin: list[int]) -> Block:
    """Return two nodes whose players can hand the fight back for ever.

    Ours may leave for 0.3 or hand over; the other may leave for 0.55 or hand back.
    """
    block = Block()
    for is_ours, worth, other in ((True, 0.3, 1), (False, 0.55, 0)):
        acts, staying = block.append_node(is_ours)
        acts += [(worth, 0.0, 0, 0.0, 0), (0.0, 1.0, other, 0.0, 0)]
        staying.append(1)
    block.choice = begin
    return block


@pytest.mark.parametrize("begin", [[0, 0], [0, 1], [1, 0], [1, 1]], ids=str)
def test_solver_finds_the_value_from_any_initial_choice(begin: list[int]) -> None:
    """No initial choice makes the solver hand over for ever: the value is 0.3.

    Handing over looks like 0.55 while the other leaves, but the other then hands back for ever.
    """
    assert solve_block(trap(begin)) == pytest.approx([0.3, 0.3])


def test_endless_nodes_depend_on_the_fixed_policy() -> None:
    """The opponent prolongs the fight in both nodes against one policy only.

    Against the other policy it can't prolong the fight in any node.
    """
    assert map_endless_nodes_to_actions(trap([1, 0])) == {0: 1, 1: 1}
    assert map_endless_nodes_to_actions(trap([0, 0])) == {}


def test_value_of_loop_with_exit_is_its_sum() -> None:
    """A loop that wins by half and repeats by half is worth 1.

    An action with many outcomes has the value of its parts.
    """
    block = Block()
    acts, _ = block.append_node(True)
    acts.append((0.5, 0.5, 0, 0.0, 0))
    acts, _ = block.append_node(False)
    acts.append((0.1, 0.3, 0, 1.0, 2))
    block.append_overflow_nodes([(0.2, 0), (0.2, 1), (0.1, 0)])
    one, two = solve_block(block)[:2]
    assert one == pytest.approx(1)
    assert two == pytest.approx((0.1 + 0.3 + 0.2 + 0.1) / 0.8)  # x = 0.7 + 0.2 x, less than 1 for 0.1 is lost
