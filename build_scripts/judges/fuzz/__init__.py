"""`make fuzz`: changed inputs against everything that reads what people type, open or keep. `run.py` is the command.

`targets.py` says what is tried and counts what comes of it; `corpora.py` has the inputs to begin with. Atheris, which
looks for inputs that reach new code, runs `guided.py`. The browser's own code is tried under Node by `kept.mjs` (what a
browser keeps) and `packed.mjs` (Python inside Pyodide), with the inputs of `changes.py`, which go by chance.
"""
