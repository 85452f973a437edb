"""`make bench`: the engine against named peers and the site against a stock Pyodide page, in one run on one machine."""
