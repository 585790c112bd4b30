"""Collecting static files only when one of them changed."""

from __future__ import annotations

import hashlib
from importlib.metadata import version
from pathlib import Path

import django
from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command


def fingerprint() -> str:
    """Changes when a source file does, or what makes files of it."""
    digest = hashlib.sha256(f"{django.__version__} {version('whitenoise')}".encode())
    for finder in get_finders():
        for name, storage in finder.list([]):
            stat = Path(storage.path(name)).stat()
            digest.update(f"{name} {stat.st_size} {stat.st_mtime_ns}\n".encode())
    return digest.hexdigest()


def collect_if_changed() -> None:
    root = Path(settings.STATIC_ROOT)
    mark = root / ".fingerprint"
    now = fingerprint()
    if mark.exists() and mark.read_text() == now:
        return
    mark.unlink(missing_ok=True)
    call_command("collectstatic", interactive=False, verbosity=0, clear=root.exists())
    mark.write_text(now)
