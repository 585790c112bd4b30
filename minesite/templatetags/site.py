from __future__ import annotations

from typing import Any

from django import template
from django.utils.html import format_html
from django.utils.safestring import mark_safe

from minesite.import_map import import_map as build_import_map

register = template.Library()


@register.simple_tag(takes_context=True)
def import_map(context: dict[str, Any]) -> str:
    """The one inline script of a page, allowed by the policy's nonce."""
    return format_html(
        '<script type="importmap" nonce="{}">{}</script>',
        context.get("CSP_NONCE", ""),
        mark_safe(build_import_map()),
    )
