"""`{% place 'front' %}`: the address of a page of a higher app."""

from __future__ import annotations

from django import template

from accounts import places

register = template.Library()
register.simple_tag(places.url, name="place")
