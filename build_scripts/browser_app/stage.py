"""Stage the application for the bundle: the engine, the renderer, compiled templates, and trimmed packages."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import jinja2
import markupsafe
import segno

from build_scripts.bundle import Patches, UnknownFormatError, apply_patches
from build_scripts.paths import ENGINE, OVERRIDES, ROOT
from build_scripts.render import build_environment
from scratch_core.rulebook.toml_records import load_table
from scratch_core.scenario import SAMPLE_SCENARIOS

TEMPLATES = OVERRIDES / "calculators"
# The bundle has compiled templates, so it doesn't contain the parts of Jinja2 that parse and compile them. Names that
# the rest of Jinja2 imports from these parts have stubs. The full Jinja2 would cost a phone a tenth of its start.
JINJA_REMOVED = ("bccache", "debug", "ext", "idtracking", "meta", "nativetypes", "optimizer", "sandbox", "visitor")
JINJA_STUBS = {
    "__init__": "from jinja2.environment import Environment\n"
    "from jinja2.loaders import BaseLoader, FileSystemLoader, ModuleLoader\n"
    "from jinja2.runtime import StrictUndefined\n",
    "_identifier": "",
    "compiler": "class CodeGenerator: ...\ndef generate(*_): raise NotImplementedError('compiled by the build')\n",
    "lexer": "class Lexer: ...\nclass TokenStream: ...\ndef get_lexer(_): raise NotImplementedError('compiled')\n",
    "nodes": "class EvalContext:\n"
    "    def __init__(self, environment, template_name=None):\n"
    "        setting = environment.autoescape\n"
    "        self.environment, self.volatile = environment, False\n"
    "        self.autoescape = setting(template_name) if callable(setting) else setting\n",
    "parser": "class Parser: ...\n",
}


# The bundle contains only the encoder of segno, without the writers of image files.
SEGNO_KEPT = ("encoder", "consts")
SEGNO_STUB = (
    "from segno.encoder import DataOverflowError, encode\n"
    "def make(content, error=None, micro=None, boost_error=True):\n"
    "    return encode(content, error=error, micro=micro, boost_error=boost_error)\n"
)

JINJA_PATCHES: Patches = {
    "async_utils.py": (
        ("import inspect\n", ""),
        ("    if inspect.isawaitable(value):\n", "    import inspect\n    if inspect.isawaitable(value):\n"),
    ),
    "filters.py": (
        ("import random\n", ""),
        ("        return random.choice(seq)\n", "        import random\n        return random.choice(seq)\n"),
        ("from inspect import getattr_static\n", ""),
        (
            "        getattr_static(obj, name)\n",
            "        from inspect import getattr_static\n        getattr_static(obj, name)\n",
        ),
    ),
    "loaders.py": (("from hashlib import sha1\n", "from _sha1 import sha1\n"),),
    "utils.py": (
        ("from random import choice\nfrom random import randrange\n", ""),
        ("from threading import Lock\n", "from _thread import allocate_lock as Lock\n"),
        (
            "    words = LOREM_IPSUM_WORDS.split()\n",
            "    from random import choice, randrange\n    words = LOREM_IPSUM_WORDS.split()\n",
        ),
    ),
}
"""Patches that import heavy modules where Jinja2 uses them, because our templates never need them."""

_LINE_TABLE = re.compile(r"^debug_info = '[\d=&]*'$", re.M)

PRELOADED_TABLES = ("rulebook/rulings", "cast/cast")
"""The tables of the engine's content that calculators load, in addition to the sample scenarios."""


def copy_browser_sources(target_folder: Path) -> None:
    """Copy the sources that the browser's Python imports into a folder, which is emptied."""
    shutil.rmtree(target_folder, ignore_errors=True)
    ignore = shutil.ignore_patterns(
        "__pycache__", "cli", "__main__.py", "py.typed", "README.md", "*.so", "*.pyi", "*.c"
    )
    for source in (ENGINE, *(Path(str(package.__file__)).parent for package in (jinja2, markupsafe, segno))):
        shutil.copytree(source, target_folder / source.name, ignore=ignore)
    (target_folder / "build_scripts").mkdir()
    for name in ("__init__.py", "render.py"):
        shutil.copy(ROOT / "build_scripts" / name, target_folder / "build_scripts" / name)


def copy_untrimmed_application(target_folder: Path) -> tuple[str, ...]:
    """Copy the untrimmed application, with compiled templates, into a folder.

    Returns no lines, because a plain build trims nothing.
    """
    copy_browser_sources(target_folder)
    compile_templates(target_folder)
    return ()


def copy_trimmed_application(target_folder: Path) -> tuple[str, ...]:
    """Copy the application into a folder, without unused parts of its packages.

    Returns a line for each package that could not be trimmed.
    """
    copy_untrimmed_application(target_folder)
    embed_engine_content(target_folder / ENGINE.name)
    for file in (target_folder / "segno").glob("*.py"):
        if file.stem not in SEGNO_KEPT:
            file.unlink()
    (target_folder / "segno" / "__init__.py").write_text(SEGNO_STUB)
    return trim_jinja_or_explain(target_folder / "jinja2")


def trim_jinja_or_explain(jinja_folder: Path) -> tuple[str, ...]:
    """Trim Jinja2 to the parts that compiled templates need.

    An unknown version stays unmodified. Then a line with the reason is returned.
    """
    try:
        texts = {name: apply_patches(name, (jinja_folder / name).read_text(), JINJA_PATCHES) for name in JINJA_PATCHES}
    except UnknownFormatError as error:
        return (f"Jinja2: {error}",)
    for name in JINJA_REMOVED:
        (jinja_folder / f"{name}.py").unlink()
    for name, text in {**texts, **{f"{name}.py": text for name, text in JINJA_STUBS.items()}}.items():
        (jinja_folder / name).write_text(text)
    return ()


def compile_templates(folder: Path) -> None:
    """Compile the calculators' templates to Python, next to the application.

    Their tables of line numbers, which only a traceback would read, are removed.
    """
    templates = build_environment(jinja2.FileSystemLoader(TEMPLATES))
    templates.compile_templates(folder / "calculator_templates", zip=None, ignore_errors=False)
    for file in (folder / "calculator_templates").glob("*.py"):
        file.write_text(_LINE_TABLE.sub("debug_info = ''", file.read_text(encoding="utf-8")), encoding="utf-8")


def embed_engine_content(engine_folder: Path) -> None:
    """Append the engine's content to the module that would load it, and remove its files."""
    texts = {f"scenario/{name}": text for name, text in SAMPLE_SCENARIOS.items()}
    tables = {name: load_table(name) for name in PRELOADED_TABLES}
    with (engine_folder / "rulebook" / "toml_records.py").open("a", encoding="utf-8") as module:
        module.write(f"\n\nload_toml_text = {texts!r}.__getitem__\nload_table = {tables!r}.__getitem__\n")
    for file in engine_folder.rglob("*.toml"):
        file.unlink()
