"""The rules of Scratch RPS as one engine, shared by the text, the tests, the build and the browser."""

__version__ = "0.1.0"
