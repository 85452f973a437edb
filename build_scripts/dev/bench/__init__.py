"""Benchmarks of the engine and the pages, and of the site compared with a page of stock Pyodide: `make bench`."""
