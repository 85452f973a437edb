"""Tables of the engine's data."""
