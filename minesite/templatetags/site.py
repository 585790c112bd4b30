from __future__ import annotations

from typing import Any

from django import template
from django.templatetags.static import static
from django.urls import get_script_prefix, reverse
from django.utils.html import format_html, format_html_join, json_script
from django.utils.safestring import mark_safe

from minesite.import_map import addresses_needed_by
from minesite.import_map import import_map as build_import_map
from minesite.mode_modules import for_scripts, module_of, styles_of

register = template.Library()


@register.simple_tag(takes_context=True)
def import_map(context: dict[str, Any]) -> str:
    """The one inline script of a page, allowed by the policy's nonce. The page of a match needs the
    modules of its own mode alone."""
    mode = getattr(context.get("match"), "mode", "")
    return format_html(
        '<script type="importmap" nonce="{}">{}</script>',
        context.get("CSP_NONCE", ""),
        mark_safe(build_import_map(mode)),
    )


@register.simple_tag
def modes_data() -> str:
    """The modes for the scripts of a page (games/modes.js)."""
    return json_script(for_scripts(), "modes")


@register.simple_tag
def mode_style(mode: str) -> str:
    """Links to the style sheets of a mode's boards."""
    links = ((static(name),) for name in styles_of(mode))
    return format_html_join("", '<link rel="stylesheet" href="{}">', links)


@register.simple_tag
def module(name: str, mode: str = "", parts: str = "") -> str:
    """The script of a page, with everything it imports asked for at once: without that, each
    import is found only when the one before it is there. `parts` are those that the script loads
    of `mode`: `{% module "games/pages/match.js" mode=match.mode parts="match fold" %}`."""
    loaded = [found for part in parts.split() if (found := module_of(mode, part))]
    urls = dict.fromkeys(addresses_needed_by(name))
    for part in loaded:
        urls |= dict.fromkeys([static(part), *addresses_needed_by(part)])
    preloads = format_html_join(
        "", '<link rel="modulepreload" href="{}">', ((url,) for url in urls)
    )
    return preloads + format_html('<script type="module" src="{}"></script>', static(name))


@register.simple_tag
def icon(name: str, classes: str = "") -> str:
    """A drawing from site/icons.svg, for the eye only: the text beside it says the same."""
    return format_html(
        '<svg class="{}" aria-hidden="true"><use href="{}#{}"></use></svg>',
        f"icon {classes}".strip(),
        static("site/icons.svg"),
        name,
    )


@register.simple_tag(takes_context=True)
def nav_link(context: dict[str, Any], view: str, icon_name: str, label: str, *also: str) -> str:
    """Link to a view from the navigation. Mark the link on pages at or below the view's address,
    and on pages of the views in `also`."""
    href = reverse(view)
    request = context.get("request")
    shown = request.resolver_match if request else None
    here = (
        request is not None
        and shown is not None
        and (
            shown.view_name in (view, *also)
            # Every address is below the front page's.
            or (href != get_script_prefix() and request.path.startswith(href))
        )
    )
    return format_html(
        '<a href="{}"{}>{}{}</a>',
        href,
        mark_safe(' aria-current="page"') if here else "",
        icon(icon_name) if icon_name else "",
        label,
    )
