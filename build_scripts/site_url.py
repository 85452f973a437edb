"""Where the built site will be read: `SITE_URL` decides what its addresses, headers and kept things begin with."""

from __future__ import annotations

import os
from urllib.parse import urlsplit

LOCAL_ADDRESS = "http://127.0.0.1:8000/"


def parse_site_url(address: str = "") -> str:
    """The address where the site will be read, ending with a slash; "" is that of the environment, or this machine's.

    Raises SystemExit for one that is no address of a folder on a host.
    """
    place = urlsplit(address or os.environ.get("SITE_URL", "") or LOCAL_ADDRESS)
    if place.scheme not in ("http", "https") or not place.netloc or place.query or place.fragment:
        raise SystemExit(f"SITE_URL: expected an address such as https://host.example/scratch/, got {place.geturl()!r}")
    path = "/".join(["", *(part for part in place.path.split("/") if part), ""])
    return f"{place.scheme}://{place.netloc}{path.replace('//', '/')}"


def get_base_path(address: str) -> str:
    """The site's path on its host, with a slash at both ends."""
    return urlsplit(address).path
