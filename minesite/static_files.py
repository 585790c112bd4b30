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


class NotOurs(Exception):
    """STATIC_DIR has files of somebody else, in one sentence for the person at the terminal."""


def collect_if_changed() -> None:
    """Raises NotOurs: collecting replaces everything in the folder."""
    root = Path(settings.STATIC_ROOT)
    mark = root / ".fingerprint"
    is_ours = any(path.exists() for path in (mark, root / "staticfiles.json"))
    if settings.STATIC_IS_PUBLIC and not is_ours and root.exists() and any(root.iterdir()):
        raise NotOurs(f"STATIC_DIR {root} has other files. Set STATIC_DIR to an empty folder.")
    now = fingerprint()
    if mark.exists() and mark.read_text() == now:
        return
    mark.unlink(missing_ok=True)
    call_command("collectstatic", interactive=False, verbosity=0, clear=root.exists())
    if settings.STATIC_IS_PUBLIC:
        _let_everybody_read(root)
    mark.write_text(now)


def _let_everybody_read(root: Path) -> None:
    for path in (root, *root.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
