"""The screens that pages are tried on: options of a browser context."""

from __future__ import annotations

from typing import Any, Final

DESKTOP: Final[dict[str, Any]] = {"viewport": {"width": 1280, "height": 800}}
PORTRAIT: Final[dict[str, Any]] = {
    "viewport": {"width": 360, "height": 740},
    "is_mobile": True,
    "has_touch": True,
    "device_scale_factor": 2,
}
LANDSCAPE: Final[dict[str, Any]] = {**PORTRAIT, "viewport": {"width": 667, "height": 375}}
ALL: Final = {"desktop": DESKTOP, "portrait": PORTRAIT, "landscape": LANDSCAPE}
