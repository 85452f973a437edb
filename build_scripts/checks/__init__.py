"""Checks that stop the build: rules without code or test, numbers typed into the text."""
