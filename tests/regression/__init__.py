"""Random samples of whole kinds of fault: `make test` runs a part of each, `FULL=1` all of it."""
