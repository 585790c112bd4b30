"""The match socket of a page, with a hand on it: what goes over it is seen, held back, made up."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, WebSocketRoute


class Line:
    """Made before the page is opened."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._socket: WebSocketRoute | None = None
        self.sent: list[dict[str, Any]] = []
        """By the page."""
        self.acknowledged: set[str] = set()
        """The page's commands that are stored."""
        self.held: list[str | bytes] | None = None
        """Messages of the server that are kept from the page for now."""
        page.route_web_socket("**/ws/match/**", self._connect)

    def _connect(self, socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        self._socket = socket

        def to_server(data: str | bytes) -> None:
            self.sent.append(json.loads(data))
            server.send(data)

        def to_page(data: str | bytes) -> None:
            for message in json.loads(data):
                if message["type"] == "ack":
                    self.acknowledged.add(message["id"])
            if self.held is None:
                socket.send(data)
            else:
                self.held.append(data)

        socket.on_message(to_server)
        server.on_message(to_page)

    def hold(self) -> None:
        self.held = []

    def release(self) -> None:
        assert self._socket is not None
        waiting, self.held = self.held or [], None
        for data in waiting:
            self._socket.send(data)

    def say(self, *messages: dict[str, Any]) -> None:
        """To the page, as if the server said it."""
        assert self._socket is not None
        self._socket.send(json.dumps(messages))

    def hellos(self) -> list[dict[str, Any]]:
        return [message for message in self.sent if message["type"] == "hello"]

    def until(self, true: Callable[[], object]) -> None:
        """Playwright's events come only while the page is asked for something."""
        for _ in range(2000):
            if true():
                return
            self._page.evaluate("() => new Promise((done) => setTimeout(done, 10))")
        raise AssertionError("it did not happen")
