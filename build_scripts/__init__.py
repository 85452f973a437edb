"""The build of the site: fences, the Pyodide bundle, finished pages and checks. No rule of the game is here."""
