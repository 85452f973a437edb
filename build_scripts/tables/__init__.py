"""Tables that the engine fills in."""
