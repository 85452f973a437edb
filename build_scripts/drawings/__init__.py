"""Pictures of the rules, drawn when the site is built: each module asks the engine and gives one frozen record.

A record holds what its template prints, places included, and the same in words for whoever does not see it. The
templates in `templates` are SVG; they know no rule and no number of the rules. `fence` is what a page calls.
"""
