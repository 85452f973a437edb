"""Run inside Pyodide when the bundle is made: use the application as a reader would; what it imports travels.

Nothing is imported here that the application does not use.
"""

import json
import traceback


def exercise() -> None:
    """Every calculator with its example and with those of the pages; a code, a file, and a request that is none."""
    from jinja2 import ModuleLoader

    from build_scripts import render

    render.use_templates(ModuleLoader("/app/calculator_templates"))
    with open("/exercises.json") as file:
        examples = json.load(file)
    for name, query in examples:
        for ask in (False, True):
            render.answer(json.dumps({"name": name, "query": query, "ask": ask, "uid": "x", "root": "/"}))
    render.draw_code("x", "/")
    for text in ("{}", "title = 'x'", "Rook\n2 fighting"):
        render.answer(json.dumps({"name": "fight", "query": "", "file": text, "root": "/"}))
    try:
        render.answer("not a request")
    except ValueError:
        traceback.format_exc()


exercise()
