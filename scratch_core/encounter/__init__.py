"""The basic rules and the Grid: state, actions, the engine that carries them out, and the turn system over it."""

from scratch_core.encounter.engine import apply, begin, decide, legal_actions, legal_names, replay, why_not

__all__ = ["apply", "begin", "decide", "legal_actions", "legal_names", "replay", "why_not"]
