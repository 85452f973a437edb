"""How the site is made: fences to HTML, the Pyodide bundle, finished pages, the checks. No rule lives here."""
