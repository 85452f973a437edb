"""Faults of the whole rulebook in a built site, with either builder."""

from pathlib import Path

from bs4 import BeautifulSoup

from build_scripts.pages.rulebook import CHAPTERS, RULEBOOK_PATH
from scratch_core.rulebook import RULES


def find_rulebook_faults(site: Path) -> list[str]:
    """Return missing rules, duplicate ids, broken links and calculators of the built rulebook."""
    soup = BeautifulSoup((site / RULEBOOK_PATH).read_text(encoding="utf-8"), "html.parser")
    book = soup.select_one(".rulebook")
    assert book is not None
    ids = [str(each["id"]) for each in soup.find_all(id=True)]
    faults = [f"{each} is not unique" for each in {each for each in ids if ids.count(each) > 1}]
    wanted = [f"{rule.page.strip('/').rpartition('/')[2]}-{rule.id}" for rule in RULES if rule.page in CHAPTERS]
    faults += [f"{each} is missing" for each in wanted if each not in ids]
    for link in book.select("a[href]"):
        path, _, anchor = str(link["href"]).partition("#")
        target = (site / RULEBOOK_PATH).parent / path.partition("?")[0]
        if path.startswith("https:"):
            continue
        if path and not (target if target.is_file() else target / "index.html").is_file():
            faults.append(f"{link['href']} leads to no page")
        if not path and anchor not in ids:
            faults.append(f"{link['href']} leads nowhere")
    return faults + [f"a calculator: {each.name}" for each in book.select("scratch-calculator")]
