"""Oracles: a second implementation of the rules, in plain code, by an author who has not read the engine."""
