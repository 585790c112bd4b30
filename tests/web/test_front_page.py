"""From the front page into a match, its weight, and what it shows of the lobby."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

LIMIT = 150_000


def test_a_guest_plays_after_one_click(page: Page):
    """Nobody has to be ready for a bot."""
    page.goto("/")
    page.get_by_role("link", name="Play now").click()
    page.wait_for_url(re.compile(r"/match/[a-z0-9]{12}/$"))
    page.locator("#match[data-phase=live]").wait_for()
    expect(page.locator(".player-name").first).to_be_visible()


def test_a_card_starts_its_game_against_a_bot(page: Page):
    page.goto("/")
    page.get_by_role("button", name="Play Battleship against a bot").click()
    page.wait_for_url(re.compile(r"/match/[a-z0-9]{12}/$"))


def test_play_alone_leads_to_a_match(page: Page):
    page.goto("/")
    page.get_by_role("link", name="Play alone").click()
    page.wait_for_url(re.compile(r"/match/[a-z0-9]{12}/$"))


def test_the_first_page_is_light(new_context):
    """Bytes over the wire, headers included, with an empty cache."""
    page = new_context().new_page()
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    sizes: list[float] = []
    session.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    page.goto("/", wait_until="networkidle")
    assert len(sizes) > 5
    assert sum(sizes) < LIMIT, f"{sum(sizes) / 1000:.0f} kB"


def test_boards_move_and_stand_still_for_who_asks(new_context):
    page = new_context(reduced_motion="no-preference").new_page()
    page.goto("/")
    board = page.locator("[data-mini=hero]")
    before = board.inner_html()
    page.wait_for_function(
        "before => document.querySelector('[data-mini=hero]').innerHTML !== before", arg=before
    )
    still = new_context(reduced_motion="reduce").new_page()
    still.goto("/")
    expect(still.locator("[data-mini=hero] rect.open").first).to_be_attached()
    shown = still.locator("[data-mini=hero]").inner_html()
    # Twice the time between two frames of a moving board.
    still.evaluate("() => new Promise(done => setTimeout(done, 400))")
    assert still.locator("[data-mini=hero]").inner_html() == shown


def test_numbers_and_matches_are_live(new_context):
    watcher = new_context().new_page()
    watcher.goto("/watch/")
    player = new_context().new_page()
    player.goto("/")
    player.get_by_role("button", name="Play Area Attack against a bot").click()
    player.wait_for_url("**/match/**")
    match = player.url.rstrip("/").rsplit("/", 1)[1]
    row = watcher.locator(f"a.live-match[href='/match/{match}/']")
    expect(row).to_be_visible(timeout=15_000)
    expect(row).to_contain_text("Area Attack")
    expect(row).to_contain_text(re.compile(r"\d+ watching"))
    # A visitor with an account hears it over the socket.
    other = new_context().new_page()
    other.goto("/accounts/guest/")
    other.locator("main").get_by_role("button", name="Play as a guest").click()
    other.goto("/watch/")
    expect(other.locator(f"a.live-match[href='/match/{match}/']")).to_be_visible()


def test_the_way_back_to_a_running_match(page: Page):
    page.goto("/")
    page.get_by_role("button", name="Play Race against a bot").click()
    page.wait_for_url("**/match/**")
    match = page.url
    page.goto("/learn/")
    back = page.locator("#banner").get_by_role("link", name="Return to match")
    expect(back).to_be_visible()
    back.click()
    page.wait_for_url(match)


def test_without_a_connection_a_page_says_so(new_context, complaints):
    context = new_context()
    page = context.new_page()
    page.goto("/")
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    context.set_offline(True)
    page.goto("/leaderboard/race/")
    expect(page.get_by_role("heading", level=1)).to_have_text("No connection")
    context.set_offline(False)
    page.goto("/leaderboard/race/")
    expect(page.get_by_role("heading", level=1)).not_to_have_text("No connection")
    complaints.clear()  # the browser tells of the requests that failed while it was offline
    kept = page.evaluate(
        "async () => { const urls = []; for (const name of await caches.keys())"
        " for (const request of await (await caches.open(name)).keys())"
        " urls.push(new URL(request.url).pathname); return urls; }"
    )
    assert kept
    assert all(path == "/offline/" or path.startswith("/static/") for path in kept)
