"""`PLAIN=1` builds with Pyodide as it was published: tests of the trimmed one are skipped then."""

import pytest

from build_scripts.browser_app import is_plain_build

TRIMMED_ONLY = pytest.mark.skipif(is_plain_build(), reason="PLAIN=1: Pyodide as it was published")
