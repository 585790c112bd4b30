"""Web push in a real browser: the switch in the settings, and what the service worker does with a
message. A headless browser has no push service, so subscribing is played for it."""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, CDPSession, Page, expect

from tests.push.service import Browser
from tests.running_site import RunningSite, wait_for
from tests.web.matches import solo
from tests.web.test_settings_pages import sign_in, sign_up

PAGE = "/accounts/settings/notifications/"

SUBSCRIBING = """
const unsubscribe = async () => delete localStorage.subscribed;
const made = () => localStorage.subscribed ? { ...given, toJSON: () => given, unsubscribe } : null;
PushManager.prototype.getSubscription = async () => made();
PushManager.prototype.subscribe = async (options) => {
  localStorage.subscribed = JSON.stringify(options);
  return made();
};
Notification.requestPermission = async () => {
  localStorage.asked = Number(localStorage.asked ?? 0) + 1;
  return permission;
};
"""


def with_push(context: BrowserContext, permission: str = "granted") -> Browser:
    """A browser whose push service answers; the page's requests for permission are counted. What
    it subscribed to outlives a page, as it does in a real one."""
    device = Browser(f"https://push.example.org/{secrets.token_hex(8)}")
    given = json.dumps([device.subscription, permission])
    context.add_init_script(f"const [given, permission] = {given}; {SUBSCRIBING}")
    return device


def switch(page: Page):
    return page.get_by_role("switch", name="Notify me on this device")


def stored(site: RunningSite, name: str) -> list[str]:
    found = site.python(
        "from accounts.models import PushSubscription as P\n"
        f"print(*P.objects.filter(user__username={name!r}).values_list('endpoint', flat=True))"
    )
    return found.split()


def test_the_switch_subscribes_after_a_press_and_ends_it_again(
    new_context: Callable[..., BrowserContext], site: RunningSite
):
    context = new_context()
    device = with_push(context)
    page = context.new_page()
    name = sign_up(page)
    page.goto(PAGE)
    expect(switch(page)).to_be_enabled()
    expect(switch(page)).not_to_be_checked()
    assert page.evaluate("localStorage.asked") is None
    switch(page).check()
    row = page.locator(f"tr[data-endpoint='{device.endpoint}']")
    expect(row).to_contain_text("this one")
    expect(switch(page)).to_be_checked()
    assert page.evaluate("localStorage.asked") == "1"
    options = page.evaluate("JSON.parse(localStorage.subscribed)")
    assert options["userVisibleOnly"] is True
    assert re.fullmatch(r"[A-Za-z0-9_-]{87}", options["applicationServerKey"])
    assert stored(site, name) == [device.endpoint]
    page.reload()
    expect(switch(page)).to_be_checked()
    switch(page).uncheck()
    expect(page.get_by_text("Notifications are off on that device.")).to_be_visible()
    expect(switch(page)).not_to_be_checked()
    assert stored(site, name) == []
    assert page.evaluate("localStorage.subscribed") is None


def test_another_device_turns_all_of_them_off(
    new_context: Callable[..., BrowserContext], site: RunningSite
):
    first, second = new_context(), new_context()
    for context in (first, second):
        with_push(context)
    page = first.new_page()
    name = sign_up(page)
    other = sign_in(second, name)
    expect(other.locator("html")).to_have_attribute("data-user", name)
    for each in (page, other):
        each.goto(PAGE)
        switch(each).check()
        expect(switch(each)).to_be_checked()
        expect(each.get_by_text("this one").filter(visible=True)).to_have_count(1)
    assert len(stored(site, name)) == 2
    other.get_by_role("button", name="Turn off on all devices").click()
    expect(other.get_by_text("Notifications are off on all devices.")).to_be_visible()
    assert stored(site, name) == []
    page.reload()
    expect(switch(page)).to_be_enabled()
    expect(switch(page)).not_to_be_checked()


def test_a_refused_permission_is_explained(
    new_context: Callable[..., BrowserContext], site: RunningSite
):
    context = new_context()
    with_push(context, "denied")
    page = context.new_page()
    name = sign_up(page)
    page.goto(PAGE)
    switch(page).click()
    expect(page.locator("#push [role=status]")).to_contain_text("Your browser blocks notifications")
    expect(switch(page)).to_be_enabled()
    expect(switch(page)).not_to_be_checked()
    assert stored(site, name) == []


def test_a_browser_without_a_push_service_says_so(new_context: Callable[..., BrowserContext]):
    context = new_context()
    context.add_init_script("delete window.PushManager")
    page = context.new_page()
    sign_up(page)
    page.goto(PAGE)
    expect(page.locator("#push [role=status]")).to_contain_text("This browser can’t show")
    expect(switch(page)).to_be_disabled()


def test_the_language_of_a_device_follows_the_player(
    new_context: Callable[..., BrowserContext], site: RunningSite
):
    context = new_context()
    with_push(context)
    page = context.new_page()
    name = sign_up(page)
    page.goto(PAGE)
    switch(page).check()
    expect(page.locator("[data-endpoint]")).to_be_visible()  # the page has loaded again
    page.get_by_role("button", name="Français").click()
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    read = (
        "from accounts.models import PushSubscription as P\n"
        f"print(P.objects.get(user__username={name!r}).language)"
    )
    wait_for(lambda: site.python(read).strip() == "fr")


# -- the service worker ----------------------------------------------------------------------------

MESSAGE = {"title": "Your turn", "body": "Battleship", "url": "/match/abc/", "tag": "/match/abc/"}
# A headless browser shows no notifications, and only a true press may focus or open pages: the
# worker's wishes are noted instead.
NOTED = """
self.shown = new Map();
self.done = [];
self.looked = []; // which pages it found, and whether they had the focus
self.clients.matchAll = async (options) => {
  const found = await Clients.prototype.matchAll.call(self.clients, options);
  self.looked.push(found.map((page) => page.focused));
  return found;
};
const path = (client) => new URL(client.url).pathname;
ServiceWorkerRegistration.prototype.showNotification = async (title, { body, tag, data }) => {
  self.shown.set(tag, { title, body, tag, ...data });
};
WindowClient.prototype.focus = async function () { self.done.push(`focus ${path(this)}`); };
WindowClient.prototype.navigate = async (url) => { self.done.push(`navigate ${url}`); };
self.clients.openWindow = async (url) => { self.done.push(`open ${url}`); };
undefined;
"""
PRESS = """async (data) => {
  let work;
  const waitUntil = (promise) => { work = promise; };
  const event = new Event("notificationclick");
  self.dispatchEvent(Object.assign(event, { notification: { data, close() {} }, waitUntil }));
  await work;
  return self.done.splice(0);
}"""
FOCUSED = """async () => {
  const options = { type: "window", includeUncontrolled: true };
  const pages = await Clients.prototype.matchAll.call(self.clients, options);
  return pages.map((page) => page.focused);
}"""


class Pushed:
    """A browser with the site's service worker, to which Chromium itself delivers messages."""

    def __init__(self, context: BrowserContext, site: RunningSite) -> None:
        self.context, self._origin = context, site.url
        page = context.new_page()
        page.goto("/learn/")
        page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        self.worker = wait_for(lambda: next(iter(context.service_workers), None))
        # A page of no site stays open: with the last one the browser context would end.
        blank = context.new_page()
        self._cdp: CDPSession = context.new_cdp_session(blank)
        registrations: list[dict] = []
        self._cdp.on(
            "ServiceWorker.workerRegistrationUpdated",
            lambda event: registrations.extend(event["registrations"]),
        )
        self._cdp.send("ServiceWorker.enable")
        while not registrations:
            blank.evaluate("0")
        self._registration = registrations[-1]["registrationId"]
        self.worker.evaluate(NOTED)
        page.close()

    def push(self, **message: str) -> None:
        self._cdp.send(
            "ServiceWorker.deliverPushMessage",
            {
                "origin": self._origin,
                "registrationId": self._registration,
                "data": json.dumps(message),
            },
        )

    def shown(self) -> list[dict[str, str]]:
        return self.worker.evaluate("[...self.shown.values()]")

    def press(self, url: str) -> list[str]:
        """The effect of a press on a notification of this page."""
        return self.worker.evaluate(PRESS, {"url": url})


@pytest.fixture
def pushed(new_context: Callable[..., BrowserContext], site: RunningSite) -> Pushed:
    return Pushed(new_context(), site)


def test_a_message_is_shown_while_no_page_is_open_and_a_newer_one_replaces_it(pushed: Pushed):
    assert pushed.worker.evaluate(FOCUSED) == []
    pushed.push(**MESSAGE)
    wait_for(pushed.shown)
    assert pushed.shown() == [MESSAGE]
    newer = {**MESSAGE, "title": "Your match is starting"}
    pushed.push(**newer)
    wait_for(lambda: pushed.shown() == [newer])


def test_nothing_is_shown_while_a_page_has_the_focus(pushed: Pushed):
    page = pushed.context.new_page()
    page.goto("/learn/")
    page.bring_to_front()
    wait_for(lambda: pushed.worker.evaluate(FOCUSED) == [True])
    pushed.push(**MESSAGE)
    wait_for(lambda: pushed.worker.evaluate("self.looked") == [[True]])
    page.close()
    wait_for(lambda: pushed.worker.evaluate(FOCUSED) == [])
    later = {**MESSAGE, "tag": "later"}
    pushed.push(**later)
    wait_for(pushed.shown)
    assert pushed.shown() == [later]


def test_a_press_goes_to_the_match_and_leaves_other_matches_alone(pushed: Pushed):
    assert pushed.press("/match/abc/") == ["open /match/abc/"]
    assert pushed.press("") == ["open /"]  # a challenge: any page asks about it
    page = pushed.context.new_page()
    page.goto("/learn/")
    assert pushed.press("/match/abc/") == ["focus /learn/", "navigate /match/abc/"]
    assert pushed.press("") == ["focus /learn/"]
    other = solo(page)
    assert pushed.press(other) == [f"focus {other}"]
    assert pushed.press("/match/abc/") == ["open /match/abc/"]
