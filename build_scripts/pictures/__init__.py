"""Pictures of the rules, drawn when the site is built.

Each module reads the engine and returns a frozen record: all texts and positions that its SVG template prints, and a
description for users who can't see it. Templates contain no rules and no numbers of the rules.
"""

from pathlib import Path

TEMPLATES = Path(__file__).parent / "templates"
"""The SVG templates of the pictures."""
