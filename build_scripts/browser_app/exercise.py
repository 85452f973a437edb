"""Use the application as users do. The build runs this file inside Pyodide, and bundles the modules that it imports.

It must not import anything that the application does not use.
"""

import json
import traceback


def request_all_examples() -> None:
    """Send every kind of request that the application can answer.

    The build runs this inside Pyodide, to find the modules that the application needs. It requests every example with
    and without dice, renders a QR code, opens texts as files, and sends an invalid request."""
    from jinja2 import ModuleLoader

    from build_scripts import render

    render.set_template_loader(ModuleLoader("/app/calculator_templates"))
    with open("/exercises.json") as file:
        examples = json.load(file)
    for name, query in examples:
        for ask in (False, True):
            render.answer_json_request(json.dumps({"name": name, "query": query, "ask": ask, "uid": "x", "root": "/"}))
    render.render_qr_code("x", "/", "x")
    for text in ("{}", "title = 'x'", "Rook\n2 fighting"):
        render.answer_json_request(json.dumps({"name": "fight", "query": "", "file": text, "root": "/"}))
    try:
        render.answer_json_request("not a request")
    except ValueError:
        traceback.format_exc()


request_all_examples()
