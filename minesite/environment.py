"""Reading settings from environment variables; a bad value is told in one sentence."""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

from games.engine.registry import load


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
    """An address that begins in one of these ways, or nothing at all."""
    raw = text(name)
    try:
        parts = urlsplit(raw)
        _port = parts.port  # raises when it is none
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
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ImproperlyConfigured(
            f"DATA_DIR {folder} can't be created: {error.strerror}. Set DATA_DIR to a folder "
            "that can be written."
        ) from error
    if not os.access(folder, os.W_OK | os.X_OK):
        raise ImproperlyConfigured(
            f"DATA_DIR {folder} can't be written by this user. Set DATA_DIR to another folder."
        )
    return folder


def secret_key(folder: Path) -> str:
    """SECRET_KEY, or the key kept in `folder`, made at the first call and readable only by its
    owner. Two processes that start at once agree on one key: the first link wins."""
    if given := text("SECRET_KEY"):
        return given
    path = folder / "secret_key"
    try:
        if not path.exists():
            draft = folder / f".secret_key.{secrets.token_hex(8)}"
            with os.fdopen(
                os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w"
            ) as file:
                file.write(secrets.token_urlsafe(64))
            try:
                os.link(draft, path)
            except FileExistsError:
                pass
            finally:
                draft.unlink()
        return path.read_text().strip()
    except OSError as error:
        raise ImproperlyConfigured(f"The secret key {path}: {error.strerror}.") from error
