"""The turn system of the basic rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from scratch_core.dice import Roller
from scratch_core.encounter import action_fields, engine, gm_actions, narration
from scratch_core.encounter.actions import (
    ACTION_TITLES,
    OUT_OF_TURN_ACTIONS,
    Action,
    compute_agility,
    compute_intelligence,
    compute_strength,
)
from scratch_core.encounter.pending_actions import BoardInterrupts
from scratch_core.encounter.state import EncounterState, Fighter, build_initial_state
from scratch_core.rulebook import RULE_OPTIONS, RulingSettings
from scratch_core.rulebook.actions import CHECK, CRAFT, END_ENCOUNTER, NOTHING, REPOSITION
from scratch_core.turn_systems import (
    Decision,
    Field,
    FieldConflict,
    GmAction,
    InitiativeRoll,
    Reason,
    StatePath,
    TurnOrderEntry,
    TurnSystem,
)

CONDITIONS = ("healthy", "injured", "incapacitated")


class BasicTurnSystem(TurnSystem[EncounterState, Action]):
    """The basic rules: groups act in the order of their initiative, with a turn for each member."""

    name = "scratch"
    title = "Scratch"
    action_type = Action
    action_titles: ClassVar[Mapping[str, str]] = {
        do: title for do, title in ACTION_TITLES.items() if do not in OUT_OF_TURN_ACTIONS
    }
    table_event_titles: ClassVar[Mapping[str, str]] = {do: ACTION_TITLES[do] for do in OUT_OF_TURN_ACTIONS}
    shared_keys = action_fields.SHARED_KEYS
    step_fields: ClassVar[Mapping[str, tuple[Field, ...]]] = action_fields.list_step_fields(has_board=False)
    board_step_fields: ClassVar[Mapping[str, tuple[Field, ...]]] = action_fields.list_step_fields(has_board=True)
    fighter_paths: ClassVar[Mapping[str, StatePath]] = {
        "hp": (int, lambda state, who: who.hp),
        "max_hp": (int, lambda state, who: who.numbers.max_hp),
        "stamina": (int, lambda state, who: who.numbers.stamina),
        "condition": (str, lambda state, who: who.health),
        "agility": (int, lambda state, who: compute_agility(who).value),
        "intelligence": (int, lambda state, who: compute_intelligence(who).value),
        "strength": (int, lambda state, who: compute_strength(who).value),
        "delayed": (bool, lambda state, who: who.is_delayed),
        "panicked": (bool, lambda state, who: who.is_panicked),
        "evading": (bool, lambda state, who: who.evading is not None),
        "in_cover": (bool, lambda state, who: who.in_cover),
        "immobilized": (bool, lambda state, who: who.is_immobilized),
        "escaped": (bool, lambda state, who: who.escaped),
        "gone": (bool, lambda state, who: who.gone),
        "at": (list, lambda state, who: [] if who.at is None else list(who.at)),
    }
    common_state_paths: ClassVar[Mapping[str, tuple[type, Callable[[Any], Any]]]] = {
        path: found for path, found in TurnSystem.common_state_paths.items() if path != "fight"
    }
    """Without `fight`: `state_to_dict` has `phase` instead, which a file can't expect."""
    gm_fields = gm_actions.GM_FIELDS_OFF_BOARD
    effects = engine.EFFECTS
    path_choices: ClassVar[Mapping[str, tuple[str, ...]]] = {"condition": CONDITIONS}
    roll_keys: ClassVar[Mapping[str, type]] = {"success": bool, "automatic": bool, "total": int, "against": int}
    rule_options = tuple(each.name for each in RULE_OPTIONS if each.name != "seize_on_total")

    # Functions that fulfil the protocol as they are

    legal_actions = staticmethod(engine.legal_actions)
    legal_action_names = staticmethod(engine.legal_action_names)
    check_by_rules = staticmethod(engine.check_action)
    decide_by_rules = staticmethod(engine.decide)
    find_follow_up_on_only_enemy = staticmethod(engine.find_follow_up_on_only_enemy)
    own_gm_action_problems = staticmethod(gm_actions.own_gm_action_problems)
    resolve_gm_action = staticmethod(gm_actions.resolve_gm_action)
    build_status = staticmethod(narration.build_status)
    build_prompt = staticmethod(narration.build_prompt)

    def build_initial_state(
        self, characters: Sequence[Fighter], head: Mapping[str, Any], rulings: RulingSettings
    ) -> EncounterState:
        """Build the state before the encounter. Rules: `turn.encounter`, `grid.scope`."""
        return build_initial_state(tuple(characters), rulings, head.get("board"))

    def begin(
        self, state: EncounterState, roller: Roller, faces: Mapping[str, Sequence[int]] | None = None
    ) -> Decision:
        """Roll initiative for every group. Rules: `turn.initiative-roll`, `turn.order`, `turn.tie`."""
        decision = engine.begin(state, roller, faces)
        thrown = tuple(InitiativeRoll(each.group, each.faces) for each in decision.events[0].initiative)
        return replace(decision, rolls=thrown)

    def merge_initiative_faces(self, given: Mapping[str, Sequence[int]], begun: Decision) -> dict[str, tuple[int, ...]]:
        """Return every group's faces in turn order, with known tie-break rolls.

        A step that was undone may have caused the tie, and redo needs its dice. Rule: `turn.tie`.
        """
        known = {who: tuple(each) for who, each in given.items()}
        return {each.who: max(each.faces, known.get(each.who, ()), key=len) for each in begun.rolls}

    def count_setup_steps(self, steps: Sequence[Action | GmAction]) -> int:
        """Count the steps up to the last bonus crafted before any turn. Rule: `craft.encounter-lock`."""
        last = 0
        for n, act in enumerate(steps, 1):
            if isinstance(act, GmAction):
                continue
            if act.do not in (CRAFT.do, CHECK.do):
                break
            if act.do == CRAFT.do:
                last = n
        return last

    def explain_turn_order(
        self, state: EncounterState, rolls: Sequence[InitiativeRoll]
    ) -> tuple[tuple[TurnOrderEntry, ...], Reason]:
        """Explain the turn order: totals, and die rolls that broke ties. Rule: `turn.order`."""
        return narration.list_turn_order_entries(state), Reason("The same order holds round after round.", "turn.order")

    def find_field_conflict(self, do: str, step: Mapping[str, Any]) -> FieldConflict | None:
        """Find a difficulty without hurry.

        Returns None if there is no conflict. Rule: `craft.hurry`.
        """
        if do != CRAFT.do or "difficulty" not in step or step.get("hurry") is True:
            return None
        return FieldConflict("no difficulty without hurry", step["difficulty"], "difficulty", "craft.hurry")

    def needs_actor(self, do: str) -> bool:
        """Return whether an action names an actor.

        Only the end of an encounter has none.
        """
        return do != END_ENCOUNTER.do

    def build_action_for_new_step(self, state: EncounterState, neighbour_actor_id: str) -> Action:
        """Return the action of a fighter who does nothing. Rule: `turn.do-nothing`."""
        return Action(neighbour_actor_id or state.active or state.fighters[0].id, NOTHING.do)

    def find_turn_round(self, state: EncounterState, who: str) -> int:
        """Return the round of a fighter's current or next turn. Rule: `turn.order`."""
        if state.phase == "running" and who:
            state = self.apply_events(state, engine.plan_events_until_turn_start(state, who).events)
        return max(1, state.round)

    def find_step_round(self, do: str, before: EncounterState, after: EncounterState) -> int:
        """Return the round of a step.

        A change by the game master belongs to the round of the next turn. Rule: `turn.order`.
        """
        return (
            self.find_turn_round(before, self.find_current_or_next_actor(before))
            if do in self.gm_fields and before.round
            else after.round
        )

    def state_to_dict(self, state: EncounterState) -> dict[str, Any]:
        """Return every state path of a state as a tree.

        Without a board the tree has no spaces.
        """
        tree = super().state_to_dict(state) | {"phase": state.phase}
        return tree if state.board is not None else {path: value for path, value in tree.items() if path != "at"}


class _OnBoard(BasicTurnSystem):
    """The basic rules on a board, with more actions and with spaces. Rule: `grid.scope`."""

    step_fields: ClassVar[Mapping[str, tuple[Field, ...]]] = BasicTurnSystem.board_step_fields
    gm_fields = gm_actions.GM_FIELDS_ON_BOARD
    interrupts = BoardInterrupts()

    def find_field_conflict(self, do: str, step: Mapping[str, Any]) -> FieldConflict | None:
        """Find a reposition with both a space and a swap, or with neither.

        Returns None if there is no conflict. Rule: `grid.hold.reposition`.
        """
        swap = step.get("swap", False)
        if do != REPOSITION.do or type(swap) is not bool or swap != ("to" in step):
            return super().find_field_conflict(do, step)
        return FieldConflict("to or swap = true", "both" if swap else "neither")


SCRATCH, SCRATCH_ON_BOARD = BasicTurnSystem(), _OnBoard()
