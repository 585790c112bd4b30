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


def become_guest(page: Page) -> None:
    page.goto("/accounts/guest/")
    page.get_by_role("button", name="Play as a guest").click()
    page.wait_for_url(re.compile(r"/$"))


def opened(page: Page) -> Page:
    expect(page.locator("#match")).to_have_attribute("aria-busy", "false")
    expect(page.locator("body")).to_have_attribute("data-link", "open")
    return page


def solo(page: Page, **options: Any) -> str:
    """A guest's game of classic, opened; its address."""
    become_guest(page)
    return solo_again(page, **options)


def solo_again(page: Page, **options: Any) -> str:
    """The same for who is signed in already."""
    options = options or {"width": 9, "height": 9, "mines": 10}
    said = page.evaluate(SAY, [{"type": "solo", "options": options}, "matched"])
    page.goto(said["url"])
    opened(page)
    return said["url"]


def together(first: Page, *others: Page, mode: str, **options: Any) -> str:
    """A private match of these pages, opened by all, the first one in seat 0; its address."""
    become_guest(first)
    invite = {"type": "invite", "mode": mode, "options": options, "size": 1 + len(others)}
    url = first.evaluate(SAY, [invite, "invitation"])["url"]
    for page in others:
        page.goto(url)
        page.get_by_role("button", name=re.compile("Take a seat")).click()
    for page in (first, *others):  # each goes there by itself when the match begins
        page.wait_for_url(re.compile("/match/"), wait_until="commit", timeout=30_000)
        opened(page)
    return first.url


def dealt(site: RunningSite, *deals: dict[str, Any]) -> list[tuple[str, str]]:
    """Classic games on known boards: for each its address and its player's session."""
    made = site.python(f"""
import asyncio, json
from django.test import Client
from accounts.models import User
from games.live import host, redis
from games.live.setup import SeatInfo
from games.live.start import create_match
users = []
for number in range({len(deals)}):
    name = f"Player{{User.objects.count()}}"
    users.append(User.objects.create(username=name, kind="guest"))
async def make():
    ids = []
    for user, deal in zip(users, {deals!r}):
        options = deal.pop("options")
        dealt = json.dumps(deal).encode() if deal else b""
        seats = [SeatInfo(user.pk, user.username, user.kind)]
        more = dict(rated=False, source="solo", deal=dealt)
        ids.append(await create_match("classic", seats, options, **more))
    await host.close()
    await redis.close()
    return ids
ids = asyncio.run(make())
sessions = []
for user in users:
    client = Client()
    client.force_login(user)
    sessions.append(client.session.session_key)
print(json.dumps([[f"/match/{{m}}/", s] for m, s in zip(ids, sessions)]))
""")
    return [(address, key) for address, key in json.loads(made.strip().splitlines()[-1])]


def saves(name: str) -> Callable[[Response], bool]:
    """The answer to the message that stores this choice; those before it are answered then."""
    return lambda response: (
        response.url.endswith("/accounts/settings/choices/")
        and f'"{name}"' in (response.request.post_data or "")
    )


def frame_of(page: Page, number: int = 0) -> Locator:
    return page.locator(".board-frame").nth(number)


def at(page: Page, cell: int, board: int = 0) -> tuple[float, float]:
    """Where the middle of a cell is in the window."""
    handle = frame_of(page, board).element_handle()
    x, y = page.evaluate(PLACE, [handle, cell])
    return x, y


def click(page: Page, cell: int, board: int = 0, button: Any = "left") -> None:
    page.mouse.click(*at(page, cell, board), button=button)


def faces(page: Page, board: int = 0) -> list[int]:
    """What the board wants to show, cell by cell (games/static/games/board/faces.js)."""
    return frame_of(page, board).evaluate("frame => [...frame.board.state.wanted.faces]")


def expect_face(page: Page, cell: int, face: int, board: int = 0) -> None:
    handle = frame_of(page, board).element_handle()
    page.wait_for_function(
        "([frame, cell, face]) => frame.board.state.wanted.faces[cell] === face",
        arg=[handle, cell, face],
    )
