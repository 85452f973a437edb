"""Calculators: each module is a pure function from a query string to a view.

A calculator `name` is the module `scratch_core.calculators.<name>` with

    view(query: Query, roller: Roller | None) -> View

where `View` is the module's own frozen dataclass, and the template `site_overrides/calculators/<name>.html` that
prints it. `roller` is None while nobody has asked for a roll: then dice fall only from faces given in the query.
A view has at least `query` (the canonical query string that reopens this very answer, faces included), `summary`
(one sentence, read aloud once and kept in the history; "" when there is no answer), `problems`
(`tuple[Problem, ...]`, whose `where` is the name of the control it belongs to), and `fields` (what the reader typed,
control by control).
"""
