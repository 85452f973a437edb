"""`PLAIN=1` builds with Pyodide as it was published: what concerns the lean one alone is left out then."""

import pytest

from build_scripts.browser_app import is_plain_build

TRIMMED_ONLY = pytest.mark.skipif(is_plain_build(), reason="PLAIN=1: Pyodide as it was published")
