"""Waiting is seen on every page, and a match or a turn calls a player who looks elsewhere."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import BrowserContext, Page, WebSocketRoute, expect

from tests.web.matches import become_guest, opened, say, together

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
DESKTOP = {"viewport": {"width": 1280, "height": 800}}

# The player looks at another window; what a notification would show is kept.
LOOK_AWAY = """() => {
  document.hasFocus = () => false;
  window.shown = [];
  const registration = { showNotification: async (text, options) => shown.push([text, options]) };
  navigator.serviceWorker.getRegistration = async () => registration;
}"""
LOOK_BACK = "() => { document.hasFocus = () => true; dispatchEvent(new Event('focus')); }"


# A headless browser allows no notifications.
ALLOWED = 'Object.defineProperty(Notification, "permission", { get: () => "granted" })'


def allowed(context: BrowserContext) -> Page:
    context.add_init_script(ALLOWED)
    return context.new_page()


def icon(page: Page) -> str:
    return page.locator("link[data-call]").evaluate("link => link.href")


@pytest.mark.parametrize("how", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_the_bar_follows_a_waiting_player_until_they_leave(new_context, how):
    page = new_context(**how).new_page()
    become_guest(page)
    wish = {"mode": "minewars", "size": 2, "preset": "duel"}
    say(page, {"type": "queue", "wishes": [wish]}, "queued")
    for address in ("/learn/", "/leaderboard/race/", "/"):
        page.goto(address)
        bar = page.get_by_role("region", name="Your match")
        expect(bar).to_contain_text("Waiting for MineWars")
        expect(bar.get_by_role("timer")).to_have_text(re.compile(r"^\d+:\d\d$"))
    page.goto("/play/minewars/")  # has a panel for it
    expect(page.locator("#waiting")).to_be_visible()
    expect(page.locator(".queue-line")).to_have_count(0)
    page.goto("/learn/")
    page.get_by_role("button", name="Leave the queue").click()
    expect(page.locator(".queue-line")).to_have_count(0)
    page.reload()
    page.wait_for_function("() => document.readyState === 'complete'")
    expect(page.locator(".queue-line")).to_have_count(0)


def test_a_match_calls_by_title_icon_and_notification(new_context):
    ann = allowed(new_context())
    bob = new_context().new_page()
    for page in (ann, bob):
        become_guest(page)
        page.goto("/learn/")
    wish = {"mode": "battleship", "size": 2}
    say(ann, {"type": "queue", "wishes": [wish]}, "queued")
    expect(ann.locator(".queue-line")).to_be_visible()
    ann.evaluate(LOOK_AWAY)
    # The page goes to the match at once: note what it showed before.
    ann.evaluate(
        """() => addEventListener("pagehide", () => sessionStorage.setItem("left",
             [document.title, document.querySelector("link[data-call]").href, shown].join(" ")))"""
    )
    with ann.expect_navigation(url=re.compile("/match/"), wait_until="commit"):
        say(bob, {"type": "queue", "wishes": [wish]}, "queued")
    opened(ann)
    left = ann.evaluate("() => sessionStorage.getItem('left')")
    assert "● Your match is starting" in left
    assert "icon-call" in left
    assert "Your match is starting,[object" in left


def test_a_match_that_began_while_the_page_reconnected_opens_too(new_context):
    ann, bob = (new_context().new_page() for _ in range(2))
    cut = []

    def lose_the_match(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def to_page(data: str | bytes) -> None:
            if not cut and json.loads(data)["type"] == "matched":
                cut.append(data)
                socket.close(code=1012)
            else:
                socket.send(data)

        server.on_message(to_page)

    ann.route_web_socket("**/ws/lobby/**", lose_the_match)
    for page in (ann, bob):
        become_guest(page)
        say(page, {"type": "queue", "wishes": [{"mode": "battleship", "size": 2}]}, "queued")
    ann.wait_for_url("**/match/**", wait_until="commit")
    assert cut


def test_a_turn_calls_and_looking_back_ends_the_call(new_context):
    ann = allowed(new_context())
    bob = new_context().new_page()
    together(ann, bob, mode="battleship", turn_seconds=60)
    before = ann.title(), icon(ann)
    ann.evaluate(LOOK_AWAY)
    for page in (ann, bob):
        page.get_by_role("button", name="Confirm fleet").click()
    expect(ann).to_have_title("● Your turn")
    assert "icon-call" in icon(ann)
    [[text, options]] = ann.evaluate("() => shown")
    assert text == "Your turn"
    assert options["data"]["url"] in ann.url
    expect(ann.locator(".whose-turn")).to_contain_text("Your turn: bomb")
    expect(bob.locator(".whose-turn")).to_contain_text("is taking aim")
    assert "●" not in bob.title()  # he looks at it
    ann.evaluate(LOOK_BACK)
    expect(ann).to_have_title(before[0])
    assert icon(ann) == before[1]


def test_notifications_are_asked_for_by_a_button_alone(new_context):
    page = new_context().new_page()
    page.add_init_script(
        """window.asked = 0;
           Object.defineProperty(Notification, "permission", { get: () => "default" });
           Notification.requestPermission = async () => { window.asked += 1; return "default"; };"""
    )
    become_guest(page)
    wish = {"mode": "minewars", "size": 2, "preset": "duel"}
    say(page, {"type": "queue", "wishes": [wish]}, "queued")
    page.goto("/learn/")
    expect(page.locator(".queue-line")).to_be_visible()
    assert page.evaluate("asked") == 0
    page.get_by_role("button", name="Notify me").click()
    page.wait_for_function("() => window.asked === 1")
    say(page, {"type": "unqueue"}, "unqueued")
