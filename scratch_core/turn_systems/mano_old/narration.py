"""Mano a Mano, first revision, in words: the status of a fighter, the prompt, and the turn order."""

from __future__ import annotations

from scratch_core.turn_systems import FighterNumber, FighterStatus, Prompt, Reason
from scratch_core.turn_systems.mano_old.records import POOLS, OldFighter, OldState
from scratch_core.turn_systems.seats import SeatedTurnSystem


class OldNarration(SeatedTurnSystem[OldState]):
    """The part of the turn system that writes what players read."""

    def build_status_as_if_present(self, state: OldState, who: OldFighter) -> FighterStatus:
        """Build a fighter's status with its pools. Rules: `mano-old.order.seating`, `mano-old.pools`."""
        is_past = state.phase == "running" and who.id in state.order[: state.place]
        reach = f", reach {who.reach}" if who.reach else ""
        points = {pool: who.get_points(pool) for pool in POOLS}
        return FighterStatus(
            numbers=tuple(
                FighterNumber(pool, str(count), "mano-old.pools", f"{pool}.{who.id}", count)
                for pool, count in points.items()
            ),
            mark="their turn" if state.active == who.id else "",
            traits=f"{who.hp_round} HP a round{reach}",
            hp=who.hp,
            is_done=is_past,
        )

    def build_running_prompt(self, state: OldState) -> Prompt:
        """Build the prompt of a running fight.

        Rules: `mano-old.phases`, `mano-old.phase.ready.cap`, `mano-old.phase.actions`.
        """
        who = state.fighter(state.active)
        if state.step == "start":
            sentence = f"{who.name}'s turn. It starts with phase 1."
            return Prompt(who.id, "'s turn", "", "mano-old.phases", sentence)
        if state.step == "ready":
            points = f"{who.hp_round} of {who.eligible_points} HP"
            sentence = f"Which {points} does {who.name} ready?"
            return Prompt(who.id, f"readies {points}", "", "mano-old.phase.ready.choice", sentence)
        has = f"has {who.ready} HP ready to spend"
        return Prompt(who.id, has, "", "mano-old.phase.actions", f"{who.name} {has}.")

    def explain_first_fighter(self, state: OldState, *, is_rolled: bool) -> tuple[Reason, ...]:
        """Explain why the first fighter goes first.

        The reason is an ambush, else the longest reach, else the dice (ruling K25). Rules: `mano-old.surprise`,
        `mano-old.initiative.reach`.
        """
        if state.ambush:
            return (Reason("ambushes the others", "mano-old.surprise"),)
        why = "highest roll of those with the longest reach" if is_rolled else "has the longest reach"
        return (Reason(why, "mano-old.initiative.reach"),)
