"""Guests: a real account with a friendly name, made at the first click."""

from __future__ import annotations

import secrets

from django.conf import settings
from django.contrib.auth import alogin
from django.core.cache import cache
from django.db import IntegrityError
from django.http import HttpRequest

from accounts.models import User

MOODS = """
Able Amber Brave Bright Brisk Calm Clever Cosy Curious Daring Dapper Eager Early Fair Fleet
Gentle Glad Golden Happy Hardy Honest Jolly Keen Kind Lively Lucky Mellow Merry Mighty Neat
Nimble Noble Patient Plucky Polite Proud Quick Quiet Rapid Ready Silver Sly Smart Snug Solid
Steady Sunny Swift Tidy True Upbeat Vivid Warm Wise Witty Zesty
""".split()
ANIMALS = """
Badger Bear Beaver Bison Bobcat Crane Crow Deer Dingo Dove Eagle Egret Falcon Ferret Finch Fox
Gecko Goose Hare Hawk Heron Ibex Jay Koala Lark Lemur Lynx Marten Mole Moose Newt Ocelot Orca
Otter Owl Panda Pigeon Pika Puffin Quail Rabbit Raven Robin Salmon Seal Shrew Skunk Sparrow
Stoat Stork Swan Tapir Tern Toad Trout Turtle Vole Walrus Weasel Whale Wombat Wren Yak Zebra
""".split()

WINDOW_SECONDS = 600


class TooManyGuests(Exception):
    """This address has made enough guests for a while."""


def new_name() -> str:
    return f"{secrets.choice(MOODS)}{secrets.choice(ANIMALS)}{secrets.randbelow(900) + 100}"


async def create_guest() -> User:
    """A new guest with an unused name."""
    while True:
        user = User(username=new_name(), kind=User.Kind.GUEST)
        user.set_unusable_password()
        try:
            await user.asave(force_insert=True)
        except IntegrityError:
            continue
        return user


async def sign_in_guest(request: HttpRequest) -> User:
    """The user of this request: signed in already, or a new guest now; raises TooManyGuests."""
    user = await request.auser()
    if user.is_authenticated:
        return user
    await _count(request.META.get("REMOTE_ADDR", ""))
    guest = await create_guest()
    await alogin(request, guest, backend="django.contrib.auth.backends.ModelBackend")
    return guest


async def _count(address: str) -> None:
    name = f"guests:{address}"
    await cache.aadd(name, 0, WINDOW_SECONDS)
    if await cache.aincr(name) > settings.GUESTS_PER_ADDRESS:
        raise TooManyGuests
