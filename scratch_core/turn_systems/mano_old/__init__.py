"""Mano a Mano, the first revision."""
