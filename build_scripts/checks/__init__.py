"""Checks that stop the build: rules without code or a test, and numbers typed into the text."""
