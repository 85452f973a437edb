"""Use the application as its users do. The build runs this file inside Pyodide."""

import json

from hello import add_fractions  # type: ignore[import-not-found]  # a module of the example's bundle

with open("/exercises.json") as file:
    for first, second in json.load(file):
        add_fractions(first, second)
