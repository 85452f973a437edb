"""Use the application as users do. The build runs this file inside Pyodide, and bundles the modules that it imports.

It must not import anything that the application does not use.
"""

import json
import traceback


def exercise() -> None:
    """Request every example with and without dice, a QR code, files, and an invalid response."""
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
