"""What of the application travels: the engine, the renderer, the compiled templates, and what they need of packages."""

from __future__ import annotations

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
# Templates arrive compiled, so the parts of Jinja2 that read and compile them stay at home. What the rest of Jinja2
# imports by name is given a stand-in: reading it all costs a phone a tenth of its start.
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
    "        asked = environment.autoescape\n"
    "        self.environment, self.volatile = environment, False\n"
    "        self.autoescape = asked(template_name) if callable(asked) else asked\n",
    "parser": "class Parser: ...\n",
}


# Of segno the encoder alone: what writes image files stays at home.
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
"""Heavy modules that Jinja2 imports for what our templates never ask: imported where they are used."""

PRELOADED_TABLES = ("rulebook/rulings", "cast/cast")
"""What calculators ask of the engine's content, the sample scenarios aside."""


def copy_sources(folder: Path) -> None:
    """Put what the browser's Python imports into an emptied folder, as plain sources."""
    shutil.rmtree(folder, ignore_errors=True)
    ignore = shutil.ignore_patterns(
        "__pycache__", "cli", "__main__.py", "py.typed", "README.md", "*.so", "*.pyi", "*.c"
    )
    for source in (ENGINE, *(Path(str(each.__file__)).parent for each in (jinja2, markupsafe, segno))):
        shutil.copytree(source, folder / source.name, ignore=ignore)
    (folder / "build_scripts").mkdir()
    for name in ("__init__.py", "render.py"):
        shutil.copy(ROOT / "build_scripts" / name, folder / "build_scripts" / name)


def stage_untrimmed(folder: Path) -> tuple[str, ...]:
    """Lay out the application as it is, its templates compiled; nothing of it is left that could be smaller."""
    copy_sources(folder)
    compile_templates(folder)
    return ()


def stage_application(folder: Path) -> tuple[str, ...]:
    """Lay out the application without what it does not use of packages; gives a line for each that is left whole."""
    stage_untrimmed(folder)
    stage_content(folder / ENGINE.name)
    for file in (folder / "segno").glob("*.py"):
        if file.stem not in SEGNO_KEPT:
            file.unlink()
    (folder / "segno" / "__init__.py").write_text(SEGNO_STUB)
    return stage_jinja(folder / "jinja2")


def stage_jinja(folder: Path) -> tuple[str, ...]:
    """Leave of Jinja2 what compiled templates need; another Jinja2 stays as it is, with a line that says why."""
    try:
        texts = {name: apply_patches(name, (folder / name).read_text(), JINJA_PATCHES) for name in JINJA_PATCHES}
    except UnknownFormatError as error:
        return (f"Jinja2: {error}",)
    for name in JINJA_REMOVED:
        (folder / f"{name}.py").unlink()
    for name, text in {**texts, **{f"{name}.py": text for name, text in JINJA_STUBS.items()}}.items():
        (folder / name).write_text(text)
    return ()


def compile_templates(folder: Path) -> None:
    """Write the calculators' templates as Python beside the application."""
    templates = build_environment(jinja2.FileSystemLoader(TEMPLATES))
    templates.compile_templates(folder / "calculator_templates", zip=None, ignore_errors=False)


def stage_content(engine: Path) -> None:
    """Write what the engine's content holds below the module that would read it, and take its files away."""
    texts = {f"scenario/{name}": text for name, text in SAMPLE_SCENARIOS.items()}
    tables = {name: load_table(name) for name in PRELOADED_TABLES}
    with (engine / "rulebook" / "toml_records.py").open("a", encoding="utf-8") as module:
        module.write(f"\n\nload_text = {texts!r}.__getitem__\nload_table = {tables!r}.__getitem__\n")
    for file in engine.rglob("*.toml"):
        file.unlink()
