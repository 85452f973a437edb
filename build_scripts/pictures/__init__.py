"""Pictures of the rules, drawn when the site is built.

Each module asks the engine and returns a frozen record: what its SVG template prints, places included, and the same as
text for readers who can't see it. Templates know no rule and no number of the rules.
"""

from pathlib import Path

TEMPLATES = Path(__file__).parent / "templates"
"""The SVG templates of the pictures."""
