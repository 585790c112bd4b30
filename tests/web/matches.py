"""Matches made and played through the browser: guests, invitations, cells to click."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, Page, Response, expect

from tests.running_site import RunningSite

# A busy machine takes its time; what never comes fails all the same.
expect.set_options(timeout=20_000)

PLACE = """([frame, cell]) => {
  const { x, y } = frame.board.place(cell);
  const box = frame.getBoundingClientRect();
  return [box.x + x, box.y + y];
}"""

SAY = """async ([message, answer]) => {
  const { lobby } = await import("games/lobby/shared.js");
  return new Promise((resolve, reject) => {
    lobby().on(answer, resolve);
    lobby().on("error", (error) => reject(new Error(error.text)));
    lobby().send(message);
  });
}"""

HIDDEN, FLAG, STRUCK = 10, 11, 12

# A wall of mines in the fourth column with a gap at its foot; the start opens all to its right.
WALL: dict[str, Any] = {
    "mines": [3, 12, 21, 30, 39, 48, 57, 66],
    "start": 8,
    "options": {"width": 9, "height": 9, "mines": 8},
}
GAP = 75


def become_guest(page: Page) -> None:
    page.goto("/accounts/guest/")
    page.get_by_role("button", name="Play as a guest").click()
    page.wait_for_url(re.compile(r"/$"))


def say(page: Page, message: dict[str, Any], answer: str) -> dict[str, Any]:
    """Over the page's lobby socket; the answer of this type."""
    return page.evaluate(SAY, [message, answer])


def opened(page: Page) -> Page:
    expect(page.locator("#match")).to_have_attribute("aria-busy", "false")
    expect(page.locator("body")).to_have_attribute("data-link", "open")
    return page


def solo(page: Page, **options: Any) -> str:
    """A guest's game of classic, opened; its address."""
    become_guest(page)
    return solo_again(page, **options)


def solo_again(page: Page, **options: Any) -> str:
    """The same for a user who is signed in already."""
    options = options or {"width": 9, "height": 9, "mines": 10}
    said = say(page, {"type": "solo", "options": options}, "matched")
    page.goto(said["url"])
    opened(page)
    return said["url"]


def together(first: Page, *others: Page, mode: str, **options: Any) -> str:
    """A private match of these pages, opened by all, the first one in seat 0; its address."""
    become_guest(first)
    invite = {"type": "invite", "mode": mode, "options": options, "size": 1 + len(others)}
    url = say(first, invite, "invitation")["url"]
    for page in others:
        page.goto(url)
        page.get_by_role("button", name=re.compile("Join")).click()
    for page in (first, *others):  # each goes there by itself when the match begins
        page.wait_for_url(re.compile("/match/"), wait_until="commit", timeout=30_000)
        opened(page)
    return first.url


def dealt(site: RunningSite, *deals: dict[str, Any]) -> list[tuple[str, str]]:
    """Guests' games of classic on known boards: for each its address and its player's session."""
    games = [{"mode": "classic", "kinds": ["guest"], "source": "solo", **deal} for deal in deals]
    return [(address, keys[0]) for address, keys in made(site, *games)]


def made(site: RunningSite, *games: dict[str, Any]) -> list[tuple[str, list[str]]]:
    """Matches that begin now, of new users: for each its address, and its players' sessions.

    A game has `mode`, `kinds` of its players, `options`, and perhaps `rated`, `source`, `seed`, and
    `mines` and `start` of a known board.
    """
    answer = site.python(f"""
import asyncio, json, secrets
from django.test import Client
from accounts.models import User
from games import redis
from games.live import host, start
from games.live.setup import SeatInfo, new_seed
from games.live.start import create_match
games = json.loads({json.dumps(games)!r})
def player(kind):
    return User.objects.create(username="Player" + secrets.token_hex(4), kind=kind)
def session(user):
    client = Client()
    client.force_login(user)
    return client.session.session_key
players = [[player(kind) for kind in game["kinds"]] for game in games]
async def make(game, users):
    deal = {{name: game[name] for name in ("mines", "start") if name in game}}
    start.new_seed = lambda: game.get("seed") or new_seed()
    return await create_match(
        game["mode"], [SeatInfo(user.pk, user.username, user.kind) for user in users],
        game["options"], rated=game.get("rated", False), source=game.get("source", "queue"),
        deal=json.dumps(deal).encode() if deal else b"")
async def make_all():
    ids = [await make(game, users) for game, users in zip(games, players)]
    await host.close()
    await redis.close()
    return ids
ids = asyncio.run(make_all())
keys = [[session(user) for user in users] for users in players]
print(json.dumps([[f"/match/{{match}}/", key] for match, key in zip(ids, keys)]))
""")
    return [(address, keys) for address, keys in json.loads(answer.strip().splitlines()[-1])]


def mines_of(site: RunningSite, address: str) -> set[int]:
    """The mines of a running match, which no page knows."""
    answer = site.python(f"""
import asyncio, json
from games.admin.full_view import full_view
from games import redis
from games.live import host
async def look():
    seen = await full_view("{address.strip("/").rsplit("/", 1)[1]}", 0)
    await host.close()
    await redis.close()
    return seen
print(json.dumps(asyncio.run(look())["truth"]["mines"]))
""")
    return set(json.loads(answer.strip().splitlines()[-1]))


def seated(site: RunningSite, page: Page, address: str, session: str) -> Page:
    """The match's page as the owner of this session sees it."""
    page.context.add_cookies([{"name": "sessionid", "value": session, "url": site.url}])
    page.goto(address)
    return opened(page)


def saves(name: str) -> Callable[[Response], bool]:
    """The answer to the message that stores this choice; those before it are answered then."""
    return lambda response: (
        response.url.endswith("/accounts/settings/choices/")
        and f'"{name}"' in (response.request.post_data or "")
    )


def frame_of(page: Page, number: int = 0) -> Locator:
    return page.locator(".board-frame").nth(number)


def at(page: Page, cell: int, board: int = 0) -> tuple[float, float]:
    """The middle of a cell in the window."""
    handle = frame_of(page, board).element_handle()
    x, y = page.evaluate(PLACE, [handle, cell])
    return x, y


def click(page: Page, cell: int, board: int = 0, button: Any = "left") -> None:
    page.mouse.click(*at(page, cell, board), button=button)


def fingers_of(page: Page) -> Callable[..., None]:
    """fingers("touchStart", (x, y), ...): where the fingers are now."""
    touch = page.context.new_cdp_session(page)

    def fingers(kind: str, *points: tuple[float, float]) -> None:
        where = [{"x": x, "y": y, "id": i} for i, (x, y) in enumerate(points)]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": where})

    return fingers


def faces(page: Page, board: int = 0) -> list[int]:
    """The faces that the board wants to show, cell by cell (games/static/games/board/faces.js)."""
    return frame_of(page, board).evaluate("frame => [...frame.board.state.wanted.faces]")


def expect_face(page: Page, cell: int, face: int, board: int = 0) -> None:
    handle = frame_of(page, board).element_handle()
    page.wait_for_function(
        "([frame, cell, face]) => frame.board.state.wanted.faces[cell] === face",
        arg=[handle, cell, face],
    )
