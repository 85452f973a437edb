"""Accessibility violations that axe finds on a page as it is shown."""

from functools import cache

from playwright.sync_api import Page

from build_scripts.paths import NODE_MODULES

# Colours are final only after fade-ins: axe runs when all of them are over, also those that begin now.
# Stylesheets are not preloaded for axe: none of the rules that it checks here reads them.
_RUN = """async (where) => {
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  const ending = () => document.getAnimations().filter((each) => {
    const { endTime } = each.effect.getComputedTiming();
    return each.playState === "running" && Number.isFinite(endTime);
  });
  await frame();
  await frame();
  while (ending().length) await Promise.allSettled(ending().map((each) => each.finished));
  const found = await axe.run(where, { resultTypes: ["violations"], preload: false });
  return found.violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.target.join(" ")}: ${node.failureSummary}`));
}"""


@cache
def _axe() -> str:
    return (NODE_MODULES / "axe-core" / "axe.min.js").read_text(encoding="utf-8")


def find_violations(page: Page, where: str = "html") -> list[str]:
    """Return axe's violations within an element, by default the page: rule, element and description."""
    if not page.evaluate("'axe' in globalThis"):
        page.evaluate(_axe())
    found: list[str] = page.evaluate(_RUN, where)
    return found
