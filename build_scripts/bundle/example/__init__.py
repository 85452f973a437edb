"""A bundle for another application, as small as it can be: `hello.py`, an exercise, and a page."""
