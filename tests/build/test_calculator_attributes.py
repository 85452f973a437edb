"""The tables of attributes for templates: docs/contributing/calculator-attributes.md and saved-entries.md."""

import re

from build_scripts.paths import DOCS, OVERRIDES

PAGES = [DOCS / "contributing" / f"{name}.md" for name in ("calculator-attributes", "saved-entries")]
TEMPLATES = sorted((OVERRIDES / "calculators").rglob("*.html"))
SCRIPTS = sorted((OVERRIDES / "javascripts").rglob("*.mjs"))
_ATTRIBUTE = re.compile(r"\bdata-[a-z]+(?:-[a-z]+)*")
_DATASET = re.compile(r"\bdataset\.([a-zA-Z]+)|\{([^{}]*)\} = [^;\n]*\bdataset\b")


def find_attributes(text: str) -> set[str]:
    """Find the attributes that a text names, as `data-step` or `dataset.step`."""
    names = {name for one, several in _DATASET.findall(text) for name in re.findall(r"[a-zA-Z]+", one or several)}
    return {*_ATTRIBUTE.findall(text), *("data-" + re.sub("(?=[A-Z])", "-", name).lower() for name in names)}


def test_tables_list_every_attribute_that_a_script_reads_in_a_template() -> None:
    """Compare in both directions, so that the tables are complete and current."""
    documented, in_templates, in_scripts = (
        {name for path in paths for name in find_attributes(path.read_text(encoding="utf-8"))}
        for paths in (PAGES, TEMPLATES, SCRIPTS)
    )
    assert len(documented) > 40
    assert sorted((in_templates & in_scripts) - documented) == []
    assert sorted(documented - in_templates - in_scripts) == []
