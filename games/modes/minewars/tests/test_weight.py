"""The page of a match is light over the wire. How soon it is drawn: `bench.browser`."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.running_site import RunningSite
from tests.web.matches import made, seated

MOST_BYTES = 220_000


def test_the_page_of_a_match_is_light(site: RunningSite, new_context):
    game = {"mode": "minewars", "kinds": ["guest"] * 2, "options": {"ban_seconds": 0}}
    address, sessions = made(site, game)[0]
    context = new_context()
    page = context.new_page()
    wire = context.new_cdp_session(page)
    sizes: list[float] = []
    wire.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    wire.send("Network.enable")
    seated(site, page, address, sessions[0])
    expect(page.locator(".war-city")).to_have_count(1)
    page.wait_for_load_state("networkidle")
    assert 50_000 < sum(sizes) <= MOST_BYTES, f"{sum(sizes):,.0f} bytes"
