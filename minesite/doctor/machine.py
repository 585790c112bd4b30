"""This machine: the files in DATA_DIR, the room on its disk, the settings."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

from django.conf import settings

from minesite.doctor.finding import Finding, good, problem, warning

MEGABYTE = 1024 * 1024
TIGHT, NEARLY_FULL = 2048, 512
"""Free megabytes below which the disk is worth a warning, and below which it is a problem."""


def files(folder: Path) -> Iterator[Finding]:
    """Only the owner may read what the site writes: there are password hashes and keys in it."""
    if not folder.is_dir():
        yield problem(f"DATA_DIR {folder} does not exist.", "Run `manage.py prepare`.")
        return
    open_to_others = [
        path
        for path in (folder, *folder.iterdir())
        if not path.is_symlink() and stat.S_IMODE(path.stat().st_mode) & 0o077
    ]
    if open_to_others:
        names = ", ".join(sorted(path.name for path in open_to_others)[:5])
        yield problem(
            f"Other users of this machine can read {names} in {folder}.",
            f"Run `chmod -R go-rwx {folder}`.",
        )
    foreign = [path.name for path in folder.iterdir() if path.lstat().st_uid != os.getuid()]
    if foreign:
        yield problem(
            f"{', '.join(sorted(foreign)[:5])} in {folder} belong to another user.",
            "Run the site and its commands as the same user.",
        )
    if not open_to_others and not foreign:
        yield good(f"DATA_DIR {folder} is private.")


def disk(folder: Path) -> Iterator[Finding]:
    free = shutil.disk_usage(folder).free // MEGABYTE
    remedy = "Make room or enlarge the disk: a Redis that can't write refuses every move."
    if free < NEARLY_FULL:
        yield problem(f"Only {free} MB are free on the disk of {folder}.", remedy)
    elif free < TIGHT:
        yield warning(f"{free} MB are free on the disk of {folder}.", remedy)
    else:
        yield good(f"{free // 1024} GB are free on the disk of {folder}.")


def configuration(url: str | None) -> Iterator[Finding]:
    """Settings that are each valid, but don't fit together or the address of the site."""
    if settings.DEBUG:
        yield problem("DEBUG is on: error pages show code and settings.", "Set DEBUG=0.")
    if settings.HTTPS and not settings.TRUSTED_PROXIES:
        yield problem(
            "HTTPS=1, but no proxy is trusted, so every page redirects to itself.",
            "Name your proxy's address in TRUSTED_PROXIES.",
        )
    if url is None:
        yield from ()
    elif (parts := urlsplit(url)).scheme == "https" and not settings.HTTPS:
        yield problem(
            "The site is served over https, but its cookies are not marked as secure.",
            "Set HTTPS=1.",
        )
    elif parts.hostname and not _is_allowed(parts.hostname):
        yield problem(
            f"The site refuses requests for {parts.hostname}.",
            f"Add {parts.hostname} to ALLOWED_HOSTS.",
        )
    else:
        yield good("The settings fit the address.")


def _is_allowed(host: str) -> bool:
    return any(
        allowed in ("*", host) or (allowed.startswith(".") and f".{host}".endswith(allowed))
        for allowed in settings.ALLOWED_HOSTS
    )
