"""Import compiled modules in the browser by one index, instead of the zip's directory.

Python's own importer parses the directory of a zip in Python, entry by entry, and searches `sys.path` for each module:
with 400 modules that is the largest part of a start. An archive of the bundle has two or three files: `shelf`, which is
a length, an index by path, and all modules one after the other; this module; and, only in the library, `encodings`,
which Python imports first and which installs the finder. `compile.py` writes them.
"""

import marshal
import sys
from _frozen_importlib import ModuleSpec
from _io import open_code

INDEX_OFFSET = 30 + len("shelf")
"""The offset of the first file in a zip: after its header and its name."""


class ArchiveFinder:
    """A finder and loader of the modules in one archive, for `sys.meta_path`."""

    def __init__(self, archive):
        self.archive = archive
        with open_code(archive) as file:
            file.seek(INDEX_OFFSET)
            length = int.from_bytes(file.read(4), "little")
            self.index = marshal.loads(file.read(length))
        self.codes = INDEX_OFFSET + 4 + length

    def find_spec(self, name, path=None, _target=None):
        """Find a module in its parent's folder, or in the archive itself without a parent.

        Returns None if the archive has no such module.
        """
        folder = self.archive if path is None else next(iter(path), "")
        module_path = f"{folder}/{name.rpartition('.')[2]}"
        entry = self.index.get(module_path[len(self.archive) + 1 :]) if module_path.startswith(self.archive) else None
        if entry is None:
            return None
        file = f"{module_path}/__init__.pyc" if entry[0] else f"{module_path}.pyc"
        spec = ModuleSpec(name, self, origin=file, loader_state=entry, is_package=bool(entry[0]))
        spec.has_location = True
        if entry[0]:
            spec.submodule_search_locations = [module_path]
        return spec

    def create_module(self, _spec):
        """Return None, so that Python creates the module."""

    def exec_module(self, module):
        """Execute a module's code."""
        _, start, length = module.__spec__.loader_state
        with open_code(self.archive) as file:
            file.seek(self.codes + start)
            exec(marshal.loads(file.read(length)), module.__dict__)


def install_finder(archive):
    """Install a finder for an archive, before `sys.path` and after built-in modules."""
    sys.meta_path.insert(2, ArchiveFinder(archive))
