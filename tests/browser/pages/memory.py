"""Snapshots of Python's memory in the browser."""

from typing import Any

from playwright.sync_api import Page

from tests.browser.patience import PATIENCE

IS_WHOLE = """((bytes) => {
  if (bytes.length <= 8 || bytes.length % 4) return false;
  const words = new Uint32Array(bytes.slice().buffer);
  let [mixed, sum] = [0, 0];
  for (let at = 0; at < words.length - 2; at += 1) {
    mixed = Math.imul(((mixed << 5) | (mixed >>> 27)) ^ words[at], 0x9e3779b1) >>> 0;
    sum = (sum + mixed) >>> 0;
  }
  return mixed === words.at(-2) && sum === words.at(-1);
})"""
"""A function of JavaScript: its two sums, which are written last, stand behind the memory's words."""
SNAPSHOT_RECORDS = """Object.entries(localStorage).filter(
  ([key, text]) => key.endsWith("scratch-snapshot") && text.endsWith("worker.mjs"),
)"""
"""An expression of JavaScript: the key and text with which the page has recorded a saved snapshot, or none."""
IS_SNAPSHOT_RECORDED = f"Boolean({SNAPSHOT_RECORDS}.length)"
"""An expression of JavaScript: whether the page has recorded that a snapshot is saved."""
MEMORIES = """async (work) => {
  const root = await navigator.storage.getDirectory();
  const folder = await root.getDirectoryHandle("scratch-engine", { create: true });
  const found = [];
  for await (const handle of folder.values()) {
    const file = await handle.getFile().catch(() => null);
    const bytes = new Uint8Array((await file?.arrayBuffer().catch(() => null)) ?? 0); // none: put aside meanwhile
    if (IS_WHOLE(bytes)) found.push([handle, file]);
  }
  return (await eval(work)(found)) ?? null;
}""".replace("IS_WHOLE", IS_WHOLE)


def evaluate_snapshots(page: Page, work: str) -> Any:
    """Call a function of JavaScript with the complete snapshots, and return its result.

    A snapshot is a pair of a handle and a file.
    """
    return page.evaluate(MEMORIES.replace("eval(work)", f"({work})"), None)


def wait_for_snapshot(page: Page, patience: float = PATIENCE) -> None:
    """Wait until a snapshot is completely saved and recorded for the next start."""
    look = MEMORIES.replace("eval(work)", f"((found) => found.length && {IS_SNAPSHOT_RECORDED})")
    waiting = """async (patience) => {
      const until = performance.now() + patience;
      while (performance.now() < until) {
        if (await (LOOK)()) return true;
        await new Promise(requestAnimationFrame);
      }
    }""".replace("LOOK", look)
    assert page.evaluate(waiting, patience), "no memory was kept"


def is_started_from_snapshot(page: Page) -> bool:
    """Return whether the page's Python started from a snapshot."""
    started = "performance.getEntriesByName('scratch-engine-start')"
    page.wait_for_function(f"() => {started}.length")
    return bool(page.evaluate(f"{started}.at(-1).detail.isFromSnapshot"))
