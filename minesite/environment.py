"""Read settings from environment variables; a bad value raises a one-sentence error."""

from __future__ import annotations

import base64
import contextlib
import os
import re
import secrets
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

from games.engine.registry import load

P256_ORDER: Final = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
"""Private keys of the curve are the numbers below."""


def text(name: str, default: str = "") -> str:
    return os.environ.get(name, "").strip() or default


def number(name: str, default: int, low: int = 0, high: int = 2**31) -> int:
    raw = text(name, str(default))
    try:
        value = int(raw)
    except ValueError:
        value = low - 1
    if not low <= value <= high:
        raise ImproperlyConfigured(f"{name} must be a number from {low} to {high}, not {raw!r}.")
    return value


def flag(name: str, default: bool = False) -> bool:
    raw = text(name, "1" if default else "0").lower()
    if raw in {"1", "true", "yes", "on"}:
        return True
    if raw in {"0", "false", "no", "off"}:
        return False
    raise ImproperlyConfigured(f"{name} must be 1 or 0, not {raw!r}.")


def choice(name: str, default: str, *more: str) -> str:
    """One of a few words, in whatever case."""
    allowed = (default, *more)
    raw = text(name, default)
    for word in allowed:
        if raw.lower() == word.lower():
            return word
    raise ImproperlyConfigured(f"{name} must be one of {', '.join(allowed)}, not {raw!r}.")


def modes(name: str) -> list[str]:
    """Packages with a mode each; every one must be importable."""
    packages = words(name)
    for package in packages:
        try:
            load(package)
        except Exception as error:
            # The author of the package needs to know what went wrong in it, whatever that was.
            what = str(error) or type(error).__name__
            raise ImproperlyConfigured(
                f"{name}: the mode in {package!r} can't be loaded: {what} (docs/modes.md)"
            ) from error
    return packages


def url(name: str, *schemes: str) -> str:
    """An address that begins in one of these ways, or nothing at all. It may name several hosts,
    with commas between them."""
    raw = text(name)
    try:
        parts = urlsplit(raw)
        for host in parts.netloc.rpartition("@")[2].split(","):
            _port = urlsplit(f"//{host}").port  # raises when it is none
        known = parts.scheme in schemes
    except ValueError:
        known = False
    if raw and not known:
        ways = " or ".join(f"{scheme}://" for scheme in schemes)
        # Not the value itself: a password may be in it.
        raise ImproperlyConfigured(f"{name} must be an address that begins with {ways}.")
    return raw


def origins(name: str) -> list[str]:
    found = words(name)
    for origin in found:
        parts = urlsplit(origin)
        if not (parts.scheme and parts.netloc) or parts.path:
            raise ImproperlyConfigured(
                f"{name} must be origins such as https://other.example, not {origin!r}."
            )
    return found


def words(name: str, default: str = "") -> list[str]:
    return [word.strip() for word in text(name, default).split(",") if word.strip()]


def data_dir(default: Path) -> Path:
    """The folder for everything the site writes: made when absent, refused when not writable."""
    folder = Path(text("DATA_DIR", str(default))).expanduser().absolute()
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise ImproperlyConfigured(
            f"DATA_DIR {folder} can't be created: {error.strerror}. Set DATA_DIR to a folder "
            "that can be written."
        ) from error
    if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        raise ImproperlyConfigured(
            f"DATA_DIR {folder} can't be written by this user. Set DATA_DIR to another folder."
        )
    _keep_private(folder)
    return folder


def _keep_private(folder: Path) -> None:
    """Only the owner enters the folder and reads what is in it, however that was made."""
    if folder.stat().st_mode & stat.S_ISVTX:
        raise ImproperlyConfigured(
            f"DATA_DIR {folder} is shared by all users. Set DATA_DIR to a folder of its own."
        )
    for path in (folder, *folder.iterdir()):
        # Files come and go, and not every file system has permissions.
        with contextlib.suppress(FileNotFoundError, PermissionError):
            about = path.lstat()
            ours = about.st_uid == os.getuid() and not stat.S_ISLNK(about.st_mode)
            if ours and about.st_mode & 0o077:
                path.chmod(about.st_mode & 0o700)


def secret_key(folder: Path) -> str:
    """SECRET_KEY, or the key kept in `folder`."""
    return text("SECRET_KEY") or _kept(folder / "secret_key", lambda: secrets.token_urlsafe(64))


def push_key(folder: Path) -> str:
    """PUSH_KEY, or the key kept in `folder`: a private key of the curve P-256 in base64url, which
    signs notifications (VAPID)."""
    key = text("PUSH_KEY") or _kept(folder / "push_key", _new_push_key)
    is_number = re.fullmatch(r"[A-Za-z0-9_-]{43}", key) is not None
    number = int.from_bytes(base64.urlsafe_b64decode(f"{key}=")) if is_number else 0
    if not 0 < number < P256_ORDER:
        raise ImproperlyConfigured(
            "PUSH_KEY must be a private key of the curve P-256: 32 bytes in base64url."
        )
    return key


def _new_push_key() -> str:
    number = secrets.randbelow(P256_ORDER - 1) + 1
    return base64.urlsafe_b64encode(number.to_bytes(32)).decode().rstrip("=")


def _kept(path: Path, make: Callable[[], str]) -> str:
    """The text of this file, made at the first call and readable only by its owner. Two processes
    that start at once agree on one: the first link wins."""
    try:
        if not path.exists():
            draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
            with os.fdopen(
                os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w"
            ) as file:
                file.write(make())
            try:
                os.link(draft, path)
            except FileExistsError:
                pass
            finally:
                draft.unlink()
        return path.read_text().strip()
    except OSError as error:
        raise ImproperlyConfigured(f"The key {path}: {error.strerror}.") from error
