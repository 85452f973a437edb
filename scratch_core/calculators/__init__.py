"""Calculators: each is a pure function from a query string to a view.

The calculator `name` is the package `scratch_core.calculators.<name>` with

    view(query: Query, roller: Roller | None) -> View

`View` extends `shared.form.View`; the template `site_overrides/calculators/<name>.html` renders it. `roller` is None
until the user asks for a roll; then only dice recorded in the query count. `MAX_QUERY_LENGTH` is the number of
characters that a calculator parses, if it needs more than `shared.query.DEFAULT_MAX_QUERY_LENGTH`.
"""
