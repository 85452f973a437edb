"""The basic rules and the Grid: state, actions, the engine that carries them out, and the turn system over it."""

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
