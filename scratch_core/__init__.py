"""The rules of Scratch RPS as one engine: the text, the tests, the build and the browser all ask it."""

__version__ = "0.1.0"
