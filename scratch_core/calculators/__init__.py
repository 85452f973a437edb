"""Calculators: each module is a pure function from a query string to a view.

A calculator `name` is the module `scratch_core.calculators.<name>` with

    view(query: Query, roller: Roller | None) -> View

where `View` is the module's own record on top of `form.View`, and the template
`site_overrides/calculators/<name>.html` that prints it. `roller` is None while nobody has asked for a roll: then dice
fall only from faces given in the query. What all calculators have in common is in `form`: the form that is read from a
query, with its problems, and the base of every view. `QUERY_LIMIT` is how many characters of a query are read, where a
calculator needs more than `query.LIMIT`.
"""
