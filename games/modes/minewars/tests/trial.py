"""Orders given in real browsers, by the page's own means, and compared with the server's log."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from itertools import cycle
from pathlib import Path
from typing import Any

from playwright.sync_api import BrowserContext, Page, WebSocket, expect

from games.modes.minewars.rules.state import State
from games.modes.minewars.tests.campaign import Campaign, first_seed
from tests.running_site import RunningSite
from tests.web.axe import SETTLED, serious_violations
from tests.web.logged import LoggedMatch
from tests.web.matches import at, click, frame_of, made, seated

PICTURES = os.environ.get("TRIAL_PICTURES")
"""A folder for a picture of every state that a trial passes through."""
LONG = bool(os.environ.get("TRIALS"))
"""`make trials`: the long forms, and axe-core in every state."""

KEYS = {
    "strike": "2",
    "mine": "3",
    "decoy": "4",
    "flashbang": "5",
    "smoke": "6",
    "reveal": "7",
    "road": "8",
    "tower": "9",
    "barricade": "0",
    "bridge": "b",
    "harvest": "h",
    "clear": "d",
}


def tool_of(kind: str, fields: dict[str, Any]) -> str:
    """The tool that gives this order."""
    if kind in ("cancel", "bulldoze"):
        return "clear"
    return fields.get("item") or fields.get("structure") or kind


class Player:
    """A seat's page, with everything that the server tells it."""

    def __init__(self, page: Page, seat: int | None) -> None:
        self.page = page
        self.seat = seat
        self.told: list[dict[str, Any]] = []
        """Every message of the match socket."""
        self._means = cycle(("tool", "key", "menu"))
        page.on("websocket", self._listen)

    def _listen(self, socket: WebSocket) -> None:
        if "/ws/match/" in socket.url:
            socket.on("framereceived", self._hear)

    def _hear(self, frame: str | bytes) -> None:
        said = json.loads(frame)
        self.told += said if isinstance(said, list) else [said]

    @property
    def events(self) -> list[dict[str, Any]]:
        return [one["event"] for one in self.told if one["type"] == "event"]

    def refusals(self) -> list[dict[str, Any]]:
        """The orders that this page let its player give and the server refused. An order that is a
        little too early is given again by itself."""
        return [one for one in self.refused() if one["code"] != "cooling_down"]

    def refused(self) -> list[dict[str, Any]]:
        late = [one for one in self.told if one["type"] == "refused"]
        return late + [event for event in self.events if event["type"] == "refused"]

    def until(self, true: Callable[[], Any], what: str) -> Any:
        """Playwright's events come only while the page is asked for something."""
        for _ in range(3000):
            if found := true():
                return found
            self.page.evaluate("() => new Promise((done) => setTimeout(done, 10))")
        notices = self.page.locator(".notices").all_inner_texts()
        last = [event["type"] for event in self.events[-8:]]
        raise AssertionError(f"{what}; the page says {notices}, was told {last}")

    # -- what the page shows ---------------------------------------------------------------------

    def board(self, what: str) -> Any:
        return frame_of(self.page).evaluate(f"frame => frame.board.{what}")

    def tiles(self) -> list[int]:
        tiles: list[int] = frame_of(self.page).evaluate("frame => [...frame.board.state.tiles]")
        return tiles

    def says(self, text: str | re.Pattern[str]) -> None:
        """Among the latest notices beside the map."""
        expect(self.page.locator(".notices")).to_contain_text(text)

    def see(self, name: str) -> None:
        """A state of the page that a trial passes through: keep a picture, let axe-core look."""
        self.picture(name)
        found = serious_violations(self.page)
        assert not found, f"{name}: {found}"

    def picture(self, name: str) -> None:
        self.page.wait_for_function(SETTLED)
        if PICTURES:
            self.page.screenshot(path=Path(PICTURES) / f"{name}.png")

    # -- gestures --------------------------------------------------------------------------------

    def is_free(self, cell: int) -> bool:
        """Whether nothing lies over the tile."""
        over: bool = self.page.evaluate(
            "([x, y]) => document.elementFromPoint(x, y)?.classList.contains('board-surface')",
            list(at(self.page, cell)),
        )
        return over

    def bring(self, *cells: int) -> None:
        """Move the map until nothing lies over these tiles."""
        if not all(self.is_free(cell) for cell in cells):
            cell = cells[len(cells) // 2]
            frame_of(self.page).evaluate("(frame, cell) => frame.board.look(cell)", cell)

    def click(self, cell: int, button: Any = "left") -> None:
        self.bring(cell)
        click(self.page, cell, button=button)

    def arm(self, tool: str, means: str = "tool") -> None:
        if means == "key":
            self.page.keyboard.press(KEYS[tool])
        else:
            self.page.locator(f"[data-tool={tool}]").click()
        armed = self.page.locator(f"[data-tool={tool}]")
        expect(armed).to_have_attribute("aria-pressed", "true")

    def choose(self, tool: str, cell: int) -> None:
        """From the menu around a tile."""
        self.bring(cell)
        menu = self.page.get_by_role("menu", name="Orders for this tile")
        self.page.mouse.move(*at(self.page, cell))
        self.page.mouse.down(button="right")
        expect(menu).to_be_visible()
        self.page.mouse.up(button="right")
        menu.locator(f"[data-order={tool}]").click()
        expect(menu).to_be_hidden()

    def dismiss_hint(self) -> None:
        """Look and press in one step: a hint goes away by itself when its occasion has passed."""
        self.page.locator(".war-hint button.primary").evaluate_all(
            "all => all.filter((one) => one.checkVisibility()).forEach((one) => one.click())"
        )

    def drag(self, cells: list[int]) -> None:
        self.page.mouse.move(*at(self.page, cells[0]))
        self.page.mouse.down()
        for cell in cells[1:]:
            self.page.mouse.move(*at(self.page, cell), steps=3)
        self.page.mouse.up()

    def give(self, kind: str, fields: dict[str, Any]) -> None:
        """By tool, key and menu in turn, where there is a choice."""
        self.dismiss_hint()
        cells = fields.get("cells") or [fields.get("cell")]
        tool = tool_of(kind, fields)
        if kind == "capture":
            self.page.keyboard.press("Escape")
            return self.click(cells[0])
        if kind == "flag":
            return self.click(cells[0], button="right")
        means = next(self._means)
        if means == "menu" and len(cells) == 1 and kind != "strike":
            return self.choose(tool, cells[0])
        self.arm(tool, means)
        if tool == "road" and len(cells) > 1:
            self.page.get_by_role("button", name="Whole map").click()
            self.bring(*cells)
            self.drag([cells[0], cells[-1]])
            return self.page.get_by_role("button", name="Build").click()
        for cell in cells:
            self.click(cell)
        if tool == "strike":
            self.page.keyboard.press("Enter")
        elif tool == "road":
            self.page.get_by_role("button", name="Build").click()
        elif kind == "bulldoze":
            self.click(cells[0])  # what can't be undone asks for a second press
        return None


class Browsers(Campaign):
    """A campaign that is played in browsers: put before its class."""

    def __init__(self, site: RunningSite, address: str, players: list[Player], name: str) -> None:
        self.match = LoggedMatch(site, address)
        self.players = players
        self.name = name
        self.t = 0

    def play(self, *steps: Callable[[], None]) -> None:
        """These steps; after each of them every page shows what the server knows."""
        for step in steps:
            step()
            self.agree()
            for player in (self.players[self.ann], self.players[self.bob]):
                name = f"{self.name}-{step.__name__}-{player.seat}"
                (player.see if LONG else player.picture)(name)

    @property
    def state(self) -> State:
        state: State = self.match.state
        return state

    @property
    def over(self) -> bool:
        return self.match.over

    def wait(self, ms: int) -> None:
        """Until the match's clock has gone on by so much."""
        first = self.players[0]
        end = first.board("state.time()") + ms
        first.until(lambda: first.board("state.time()") >= end or self._read(), "time stands still")
        self.match.read()

    def _read(self) -> bool:
        self.match.read()
        return self.match.over

    def until(self, ms: int, done: Callable[[], bool], what: str) -> None:
        def is_done() -> bool:
            self.match.read()
            return done()

        self.players[0].until(is_done, what)
        self.match.read()

    def act(self, seat: int, kind: str, **fields: Any) -> None:
        """As a person would: wait until nothing keeps one from it, do it, see it done."""
        player = self.players[seat]
        cells = fields.get("cells") or fields.get("cities") or [fields.get("cell")]
        if kind == "vote":
            return self._vote(player, cells)
        expect(player.page.locator(".war-effect.is-stunned")).to_be_hidden()
        if kind == "capture":
            self.until(0, lambda: cells[0] not in self.state.shield, "it stays protected")
        known = len(player.events)

        def ordered() -> Any:
            return next(
                (
                    event
                    for event in player.events[known:]
                    if event["type"] == "ordered" and event["action"] == kind
                ),
                None,
            )

        player.give(kind, fields)
        if kind == "flag":
            flags = self.state.empires[self.state.empire_of[seat]].flags
            self.until(0, lambda: (cells[0] in flags) == fields["on"], "the flag is not set")
            return None
        event = player.until(ordered, f"{kind} {cells} was not ordered")
        assert (event["cells"] == cells) or len(cells) > 1, event
        if "order" in event:
            done = {"type": "done", "order": event["order"], "code": None}
            player.until(
                lambda: any(done.items() <= one.items() for one in player.events[known:]),
                f"{kind} {cells} was not done",
            )
        self.match.read()
        return None

    def _vote(self, player: Player, cities: list[int]) -> None:
        """Ann by the list, others on the map."""
        for city in cities:
            if player.seat == self.ann:
                button = player.page.locator(".war-ban-cities button").nth(city)
                expect(button).to_be_in_viewport(ratio=1)
                button.click()
            else:
                player.click(self.state.cities[city].cell)
        commander = self.state.commanders[player.seat or 0]
        self.until(0, lambda: list(commander.votes) == cities, "the votes did not arrive")

    def agree(self) -> None:
        """Every page shows what the server would tell it now."""
        for player in () if self.over else self.players:

            def same(player: Player = player) -> bool:
                self.match.read()
                return bool(self.match.view(player.seat)["game"]["tiles"] == player.tiles())

            player.until(same, f"seat {player.seat} shows another map than the server's")
            assert player.refusals() == []


def start(
    site: RunningSite,
    new_context: Callable[..., BrowserContext],
    campaign: type[Campaign],
    name: str,
    kinds: dict[int, tuple[type[Player], dict[str, Any]]] | None = None,
) -> Browsers:
    """A match on a map for this campaign, with a browser in every seat: a desktop's, but for those
    seats whose kind of player and browser is told."""
    game = {
        "mode": "minewars",
        "kinds": ["guest"] * campaign.seats,
        "options": campaign.options,
        "seed": first_seed(campaign).hex(),
    }
    address, sessions = made(site, game)[0]
    players = []
    for seat in range(campaign.seats):
        kind, browser = (kinds or {}).get(seat, (Player, {}))
        players.append(kind(new_context(**browser).new_page(), seat))
    for player, key in zip(players, sessions, strict=True):
        seated(site, player.page, address, key)
    played: type[Browsers] = type("Played", (Browsers, campaign), {})
    return played(site, address, players, name)
