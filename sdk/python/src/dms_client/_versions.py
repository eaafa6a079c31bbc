"""Whether the versions of the service and of this package are compatible."""

from __future__ import annotations

import re

from ._version import __version__

VERSION_HEADER = "x-dms-version"


class VersionWarning(UserWarning):
    """The version of the service differs from that of this package."""


def _release(text: str) -> tuple[int, int] | None:
    found = re.match(r"(\d{1,9})\.(\d{1,9})\.", text)
    return (int(found[1]), int(found[2])) if found else None


def version_warning(service: str | None, package: str = __version__) -> str | None:
    """A warning if the first two numbers of the versions differ, or if the service does not
    report its version."""
    ours = _release(package)
    theirs = None if service is None else _release(service)
    if theirs is None or ours is None:
        return (
            "The server does not say which version of the Dataset Media Service it is. Check the "
            f"address; this client has version {package}."
        )
    if theirs == ours:
        return None
    install = f"install version {theirs[0]}.{theirs[1]} of dataset-media-service."
    if theirs < ours:
        advice = f"update the service to {ours[0]}.{ours[1]}, or {install}"
    else:
        advice = install
    return (
        f"The service has version {service}, and this client {package}, so some calls may fail: "
        f"{advice}"
    )
