"""How long a browser test waits: a loaded or a slow machine is no failure, so one generous limit holds for all.

It is no measure of ours. Where the product has a limit of its own, its test sets that limit.
"""

import json

from playwright.sync_api import BrowserContext, Page

from build_scripts import browser_drivers

PATIENCE = browser_drivers.TIMEOUT_MS
"""Milliseconds that a test waits for anything; the environment variable gives seconds."""

ENDLESS = {"start": 20 * PATIENCE, "request": 20 * PATIENCE, "answer": 20 * PATIENCE}
"""Limits of the engine in the page, in ms, that no machine reaches before the test's patience ends."""


def be_patient(context: BrowserContext | Page) -> None:
    """Set the timeouts of a profile or page to our patience.

    The engine's limits are set to more than that.
    """
    context.set_default_timeout(PATIENCE)
    context.add_init_script(f"globalThis.scratchLimits = {json.dumps(ENDLESS)}")
