"""Mano a Mano, the current revision."""
