"""Travels into the browser: finds compiled modules by one index instead of reading an archive's list of files.

Python's own reader of archives takes a zip's list apart in Python, an entry at a time, and looks along `sys.path` for
each module: with 400 modules that is the biggest part of a start. An archive of ours holds two files or three:
`shelf`, which is a length, an index by path and all modules one behind the other; this module; and, in the library
alone, `encodings`, which Python imports before all else and which opens the shelf. `compile.py` writes them.
"""

import marshal
import sys
from _frozen_importlib import ModuleSpec
from _io import open_code

INDEX_OFFSET = 30 + len("shelf")
"""Where the first file of a zip begins: behind its header and its name."""


class ArchiveFinder:
    """Finds and loads the modules of one archive, for `sys.meta_path`."""

    def __init__(self, archive):
        self.archive = archive
        with open_code(archive) as file:
            file.seek(INDEX_OFFSET)
            length = int.from_bytes(file.read(4), "little")
            self.places = marshal.loads(file.read(length))
        self.codes = INDEX_OFFSET + 4 + length

    def find_spec(self, name, path=None, _target=None):
        """Where a module of that name lies: its parent's folder, or the archive itself."""
        folder = self.archive if path is None else next(iter(path), "")
        where = f"{folder}/{name.rpartition('.')[2]}"
        place = self.places.get(where[len(self.archive) + 1 :]) if where.startswith(self.archive) else None
        if place is None:
            return None
        file = f"{where}/__init__.pyc" if place[0] else f"{where}.pyc"
        spec = ModuleSpec(name, self, origin=file, loader_state=place, is_package=bool(place[0]))
        spec.has_location = True
        if place[0]:
            spec.submodule_search_locations = [where]
        return spec

    def create_module(self, _spec):
        """A module as Python makes it."""

    def exec_module(self, module):
        """Run a module's code."""
        _, start, length = module.__spec__.loader_state
        with open_code(self.archive) as file:
            file.seek(self.codes + start)
            exec(marshal.loads(file.read(length)), module.__dict__)


def install_finder(archive):
    """Look there for modules from now on, before `sys.path` and behind what is built in."""
    sys.meta_path.insert(2, ArchiveFinder(archive))
