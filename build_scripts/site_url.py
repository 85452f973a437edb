"""The address of the published site: `SITE_URL` is the prefix of its addresses, headers and stored entries."""

from __future__ import annotations

import os
from urllib.parse import urlsplit

LOCAL_ADDRESS = "http://127.0.0.1:8000/"


def get_normalized_site_url(configured_address: str = "") -> str:
    """Return the address of the published site, with a slash at its end.

    Without `configured_address` it is the environment variable `SITE_URL`, or an address of this machine. Raises
    SystemExit if it is not the address of a folder on a host: http or https, without query and fragment.
    """
    url = urlsplit(configured_address or os.environ.get("SITE_URL", "") or LOCAL_ADDRESS)
    if url.scheme not in ("http", "https") or not url.netloc or url.query or url.fragment:
        raise SystemExit(f"SITE_URL: expected an address such as https://host.example/scratch/, got {url.geturl()!r}")
    path = "/".join(["", *(part for part in url.path.split("/") if part), ""])
    return f"{url.scheme}://{url.netloc}{path.replace('//', '/')}"


def get_base_path(address: str) -> str:
    """Return the site's path on its host, with a slash at both ends."""
    return urlsplit(address).path
