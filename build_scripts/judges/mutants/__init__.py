"""Mutants of the engine: small mistakes put into it on purpose, one at a time, to see whether a test notices."""
