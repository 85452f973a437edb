"""Calculators: each is a pure function from a query string to a view.

The calculator `name` is the package `scratch_core.calculators.<name>` with

    view(query: Query, roller: Roller | None) -> View

`View` extends `shared.page_view.PageView`; the template `site_overrides/calculators/<name>.html` renders it. `roller`
is None unless the user has pressed a button; then only dice recorded in the query count. `build_scripts/render.py`
calls `view`, in the build and in the browser. It also reads from the package, if it is there:

- `MAX_QUERY_LENGTH`: the characters that the calculator parses, if more than `shared.query.DEFAULT_MAX_QUERY_LENGTH`
- `IN_SLICES`: True if `view` takes `should_continue`, too, and works in time slices (`shared.jobs`)

and from the view:

- `query` and `summary`: what reopens the answer, and what a screen reader announces (`PageView` has both)
- `is_incomplete`: True if the same request, repeated, continues the work (`shared.jobs`)
- `needs`: the path of a file of the site without which the view has no answer yet, or "" (`shared.resources`)

`CONTROLS` are the names of the controls. The build checks the fences of pages by them.
"""
