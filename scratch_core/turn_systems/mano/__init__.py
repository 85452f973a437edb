"""Mano a Mano, latest revision."""
