"""Oracles: the rules a second time, in plain code, by someone who has not read the engine."""
