"""The basic rules and the Grid: state, actions, the engine that resolves them, and their turn system."""

from scratch_core.encounter.engine import (
    apply,
    apply_events,
    begin,
    check_action,
    decide,
    legal_action_names,
    legal_actions,
)

__all__ = ["apply", "apply_events", "begin", "check_action", "decide", "legal_action_names", "legal_actions"]
