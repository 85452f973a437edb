"""Import compiled modules in the browser by one index, instead of the zip's directory.

Python's own importer parses the directory of a zip in Python, entry by entry, and searches `sys.path` for each module:
with 400 modules that is the largest part of a start. An archive of the bundle has two or three files: `shelf`, which is
a length, an index by path, and all modules one after the other; this module; and, only in the library, `encodings`,
which Python imports first and which installs the finder. `compile.py` writes them. Packages of the application may be
divided between two archives: `add_archive` adds the second one to the finder of the first.
"""

import marshal
import sys
from _frozen_importlib import ModuleSpec
from _io import open_code

INDEX_OFFSET = 30 + len("shelf")
"""The offset of the first file in a zip: after its header and its name."""


class ArchiveFinder:
    """A finder and loader of the modules in one or more archives, for `sys.meta_path`.

    The path of each module begins with the first archive, even if its code is in another one.
    """

    def __init__(self, archive):
        self.archive = archive
        self.index = {}
        self.add_modules(archive)

    def add_modules(self, archive):
        """Add the modules of an archive to the index."""
        with open_code(archive) as file:
            file.seek(INDEX_OFFSET)
            length = int.from_bytes(file.read(4), "little")
            index = marshal.loads(file.read(length))
        offset = INDEX_OFFSET + 4 + length
        for path, (is_package, start, size) in index.items():
            self.index[path] = (is_package, archive, offset + start, size)

    def find_spec(self, name, path=None, _target=None):
        """Find a module in its parent's folder, or in the archive itself without a parent.

        Returns None if no archive has such a module.
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
        _, archive, offset, size = module.__spec__.loader_state
        with open_code(archive) as file:
            file.seek(offset)
            exec(marshal.loads(file.read(size)), module.__dict__)


def install_finder(archive):
    """Install a finder for an archive, before `sys.path` and after built-in modules."""
    sys.meta_path.insert(2, ArchiveFinder(archive))


def add_archive(archive, first_archive):
    """Add an archive to the finder of the first archive."""
    for finder in sys.meta_path:
        if isinstance(finder, ArchiveFinder) and finder.archive == first_archive:
            finder.add_modules(archive)
