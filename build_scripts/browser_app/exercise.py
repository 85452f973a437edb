"""Use the application as users do. The build runs this file inside Pyodide, and bundles the modules that it imports.

It must not import anything that the application does not use. The modules and templates that the first examples need
are in the first archive.
"""

import json
import sys
import traceback


def request_examples_and_list_first_modules() -> frozenset[str]:
    """Send every kind of request that the application can answer.

    The first examples come before all others. It requests every example with and without dice, renders a QR code, opens
    texts as files, and sends an invalid request. Returns the names of all modules, and of the compiled
    templates, that are loaded once the first examples are answered.
    """
    from jinja2 import ModuleLoader

    from build_scripts import render

    def request_examples(examples: list[list[str]]) -> None:
        for name, query in examples:
            for ask in (False, True):
                request = {"name": name, "query": query, "ask": ask, "uid": "x", "root": "/"}
                render.answer_json_request(json.dumps(request))

    render.set_template_loader(ModuleLoader("/app/calculator_templates"))
    with open("/exercises.json") as file:
        exercises = json.load(file)
    request_examples(exercises["first"])
    templates = (ModuleLoader.get_template_key(name) for name in render.list_loaded_templates())
    first_modules = frozenset((*sys.modules, *(f"calculator_templates.{key}" for key in templates)))
    request_examples(exercises["more"])
    render.render_qr_code_with_caption("x", "/", "x")
    for text in ("{}", "title = 'x'", "Rook\n2 fighting"):
        render.answer_json_request(json.dumps({"name": "fight", "query": "", "file": text, "root": "/"}))
    try:
        render.answer_json_request("not a request")
    except ValueError:
        traceback.format_exc()
    return first_modules


FIRST_MODULES = request_examples_and_list_first_modules()
