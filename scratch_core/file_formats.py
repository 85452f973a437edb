"""The tags by which files name their format.

A module without imports, because pages that only recognize a file do not load the turn systems.
"""

SCENARIO_FORMAT = "scratch-scenario/1"
"""The tag of scenario files."""
CHARACTER_FORMAT = "scratch-character/1"
"""The tag of a character as data."""
CHANCES_FORMAT = "scratch-chances/1"
"""The tag of a table of win chances."""
SAVED_FORMAT_PREFIX = "scratch-kept/"
"""The beginning of the tag of exported lists, which scripts write."""
