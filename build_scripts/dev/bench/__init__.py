"""`make bench`: the engine and the pages timed, and the site beside a page of stock Pyodide."""
