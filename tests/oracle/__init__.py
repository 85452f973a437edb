"""Oracles: the rules a second time, in plain code, by somebody who has not read the engine."""
