"""The page of a match is light over the wire, and drawn soon."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.running_site import RunningSite
from tests.web.matches import frame_of, made, seated

MOST_BYTES = 220_000
WORK_MS = 250
"""Of the main thread until the first view is drawn: 1 s with the processor throttled four times."""


def test_the_page_of_a_match_is_light_and_drawn_with_little_work(site: RunningSite, new_context):
    game = {"mode": "minewars", "kinds": ["guest"] * 2, "options": {"ban_seconds": 0}}
    address, sessions = made(site, game)[0]
    context = new_context()
    page = context.new_page()
    wire = context.new_cdp_session(page)
    sizes: list[float] = []
    wire.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    wire.send("Network.enable")
    wire.send("Performance.enable", {"timeDomain": "threadTicks"})
    seated(site, page, address, sessions[0])
    expect(page.locator(".war-city")).to_have_count(1)
    page.wait_for_load_state("networkidle")
    assert 50_000 < sum(sizes) <= MOST_BYTES, f"{sum(sizes):,.0f} bytes"

    # Again from the cache: what is left is the page's own work.
    page.reload()
    page.wait_for_function(
        "frame => frame.board.state.drawn.tiles > 0", arg=frame_of(page).element_handle()
    )
    metrics = wire.send("Performance.getMetrics")["metrics"]
    work = next(one["value"] for one in metrics if one["name"] == "TaskDuration") * 1000
    assert work < WORK_MS, f"{work:.0f} ms of the main thread"
