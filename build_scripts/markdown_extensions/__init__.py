"""Markdown of our own: links to rules, ruling notes, and numbers filled in by the engine."""
