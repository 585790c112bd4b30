"""The replay of finished matches, and the data behind it."""

from __future__ import annotations

import json
import os
import re
from hashlib import sha256
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.running_site import RunningSite, wait_for
from tests.web.matches import solo


@pytest.fixture(scope="module")
def matches(site: RunningSite) -> dict[str, str]:
    made = site.python(
        "from tests.web import finished\n"
        "for name, make in finished.ALL.items(): print(name, make('Ada', 'Grace') if name !="
        " 'classic' else make())"
    )
    return dict(line.split() for line in made.splitlines())


def opened(page: Page, match: str, moment: str = "") -> Page:
    page.goto(f"/match/{match}/{moment}")
    expect(page.locator("#replay:not([aria-busy])")).to_be_visible()
    return page


def test_the_data_is_complete_and_the_seal_holds(page: Page, matches):
    page.goto("/")
    for match in matches.values():
        data = page.request.get(f"/match/{match}/replay.json").json()
        assert set(data["streams"]) == {"public", *map(str, range(len(data["players"])))}
        for stream in data["streams"].values():
            assert stream["events"][-1][1]["type"] == "over"
            assert stream["start"]["outcome"] is None
        seal = sha256(bytes.fromhex(data["seed"]) + bytes.fromhex(data["deal"])).hexdigest()
        assert data["commitment"] == seal
        one = page.request.get(f"/match/{match}/replay.json?view=0")
        assert list(one.json()["streams"]) == ["0"]
        assert one.headers["cache-control"] == "public, no-cache"
        known = {"If-None-Match": one.headers["etag"]}
        again = page.request.get(f"/match/{match}/replay.json?view=0", headers=known)
        assert again.status == 304
        assert page.request.get(f"/match/{match}/replay.json?view=9").status == 404


def test_the_log_can_be_taken_away(page: Page, matches):
    answer = page.request.get(f"/match/{matches['race']}/log.ndjson")
    lines = [json.loads(line) for line in answer.text().splitlines()]
    assert [line["seq"] for line in lines] == list(range(len(lines)))
    assert lines[0]["kind"] == "setup"
    assert lines[0]["data"]["seats"] == [
        {"name": "Ada", "kind": "registered"},
        {"name": "Grace", "kind": "registered"},
    ]
    assert lines[1]["data"] == {"type": "ready"}


def test_nothing_before_the_end(page: Page):
    page.goto("/play/classic/")
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/match/**")
    for name in ("replay.json", "log.ndjson"):
        assert page.request.get(page.url + name).status == 404


def test_scrub_step_and_views(page: Page, matches):
    opened(page, matches["area-attack"])
    scrub, number = page.locator("#scrub"), page.locator("#event-number")
    expect(page.locator("#caption")).to_have_text("Time’s up.")
    scrub.evaluate("e => { e.value = 0; e.dispatchEvent(new Event('input')); }")
    expect(number).to_have_text(re.compile(r"^0 of \d+$"))
    page.get_by_role("button", name="One event forward").click()
    expect(number).to_have_text(re.compile(r"^1 of"))
    expect(page.locator("#caption")).to_have_text("Ada picks a start.")
    page.get_by_role("button", name="One event forward").click()
    page.get_by_role("button", name="One event back").click()
    expect(number).to_have_text(re.compile(r"^1 of"))
    scrub.evaluate("e => { e.value = e.max / 2; e.dispatchEvent(new Event('input')); }")
    middle = page.locator("#score-0").inner_text()
    assert int(middle) > 0
    for view in ("Ada", "Grace", "Truth", "Public"):
        page.get_by_role("button", name=view, exact=True).click()
        expect(page.get_by_role("button", name=view, exact=True)).to_have_attribute(
            "aria-pressed", "true"
        )
        expect(page.locator("#score-0")).to_have_text(middle)


def test_playing_and_a_link_to_a_moment(page: Page, matches):
    opened(page, matches["battleship"], "#t=2500&view=truth")
    expect(page.locator("#time")).to_have_text("0:02.5")
    expect(page.get_by_role("button", name="Truth")).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".replay-board")).to_have_count(2)
    page.locator("#speed").select_option("16")
    page.locator("#play").click()
    expect(page.locator("#play")).to_have_accessible_name("Pause")
    expect(page.locator("#caption")).to_have_text("The whole fleet is sunk.")
    expect(page.locator("#play")).to_have_accessible_name("Play")
    assert "view=truth" in page.url


def test_the_browser_verifies_the_seal(page: Page, matches):
    opened(page, matches["classic"])
    page.get_by_role("button", name="Verify").click()
    expect(page.locator("#verified")).to_contain_text("The board wasn’t changed.")


def test_the_seal_that_a_player_saw_is_compared(page: Page, matches):
    address = solo(page)
    seal = page.locator(".match-side .seal")
    seal.locator("summary").click()
    shown = seal.locator(".seal-whole").inner_text()
    assert re.fullmatch("[0-9a-f]{64}", shown)
    page.get_by_role("button", name="Give up").click()
    page.get_by_role("dialog").get_by_role("button", name="Give up").click()
    page.get_by_role("dialog", name="Result").get_by_role("link", name="Replay").click()
    page.get_by_role("button", name="Verify").click()
    expect(page.locator("#verified")).to_contain_text(shown)
    expect(page.locator("#verified")).to_contain_text("recorded the same seal")
    # A site that changed seed and seal together would be found out.
    match = address.strip("/").rsplit("/", 1)[1]
    page.evaluate("match => localStorage.setItem('seals', JSON.stringify([[match, '0']]))", match)
    page.get_by_role("button", name="Verify").click()
    expect(page.locator("#verified")).to_contain_text("but the players were shown 0")


def test_a_changed_seed_is_found_out(page: Page, matches):
    def change(route) -> None:
        data = route.fetch().json()
        data["seed"] = "00" + data["seed"][2:]
        route.fulfill(json=data)

    page.route("**/replay.json*", change)
    opened(page, matches["classic"])
    page.get_by_role("button", name="Verify").click()
    expect(page.locator("#verified")).to_contain_text("but the players were shown")


@pytest.mark.parametrize("mode", ["classic", "race", "area-attack", "battleship"])
def test_the_browser_folds_as_the_engine_does(page: Page, matches, site: RunningSite, mode):
    """Every stream, folded by the page's own modules, leads to the engine's final view."""
    opened(page, matches[mode])
    final = json.loads(
        site.python(
            "import json\n"
            "from dataclasses import asdict\n"
            "from games.replay import replay\n"
            "from games.models import Match\n"
            f"state = replay(Match.objects.get(pk='{matches[mode]}')).state\n"
            "views = {str(v if v is not None else 'public'): state.view(v)"
            " for v in (None, *range(len(state.setup.seats)))}\n"
            "print(json.dumps(views, default=asdict))"
        )
    )
    folded = page.evaluate(
        """async (url) => {
          const { createFold } = await import("games/fold/fold.js");
          const { loadPart } = await import("games/modes.js");
          const { createTrack } = await import("games/replay/track.js");
          const { mode, streams } = await (await fetch(url)).json();
          const fold = createFold((await loadPart(mode, "fold")).fold);
          const ends = {};
          for (const [name, stream] of Object.entries(streams)) {
            const track = createTrack(stream, fold);
            track.seekIndex(track.length);
            track.seekIndex(Math.floor(track.length / 3));
            ends[name] = track.seekIndex(track.length);
          }
          return ends;
        }""",
        f"/match/{matches[mode]}/replay.json",
    )
    assert folded == final


def analysis(page: Page, match: str) -> dict[str, Any]:
    """Once it is there."""

    def ready() -> dict[str, Any] | None:
        answer = page.request.get(f"/match/{match}/analysis.json")
        return answer.json() if answer.status == 200 else None

    return wait_for(ready, 60, "the analysis")


def test_moves_are_judged(page: Page, matches):
    opened(page, matches["classic"], "#t=350&view=0")
    expect(page.locator("#label")).to_have_text("proven safe")
    card = page.locator("#analysis")
    expect(card).to_be_visible()
    expect(card.get_by_role("columnheader", name="Ada")).to_be_visible()
    expect(card.get_by_role("row", name="Proven safe")).to_be_visible()
    data = analysis(page, matches["classic"])
    (judged,) = data["players"]
    assert judged["analysed"] == judged["moves"] == len(data["marks"])
    assert (
        card.get_by_role("row", name="Proven safe")
        .inner_text()
        .endswith(str(judged["proven_safe"]))
    )


@pytest.mark.parametrize("mode", ["classic", "race"])
def test_every_judged_move_has_its_label(page: Page, matches, mode):
    """Also where the last event of its moment names no cell: a percentage, or the end."""
    marks = [mark for mark in analysis(page, matches[mode])["marks"] if mark["seat"] == 0]
    opened(page, matches[mode], "#t=0&view=0")
    expect(page.locator("#analysis table")).to_be_visible()
    shown = page.evaluate(
        """(times) => times.map((time) => {
          const scrub = document.getElementById("scrub");
          scrub.value = time;
          scrub.dispatchEvent(new Event("input"));
          return document.getElementById("label").hidden;
        })""",
        [mark["t"] for mark in marks],
    )
    assert marks
    assert not any(shown)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_the_page_waits_for_the_analysis(page: Page, matches, complaints, scheme, width):
    """Until the server has it; and the reader may ask again when it gave up for now."""
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    page.set_viewport_size({"width": width, "height": 900})
    answers = [(202, {"status": "waiting"})] * 2
    page.route("**/analysis.json", lambda route: told(route, answers))
    opened(page, matches["classic"], "#t=350&view=0")
    card = page.locator("#analysis")
    expect(card.get_by_role("status")).to_have_text("Analysing the moves…")
    expect(card.get_by_role("table")).to_be_hidden()
    expect(page.locator("#label")).to_be_hidden()
    picture(page, f"judging-{scheme}-{width}")
    answers.append((503, {"code": "failed", "text": "Not now."}))
    expect(card.get_by_role("status")).to_have_text("The moves can’t be analysed right now.")
    picture(page, f"not-judged-{scheme}-{width}")
    answers.append((200, None))
    card.get_by_role("button", name="Try again").click()
    expect(card.get_by_role("row", name="Proven safe")).to_be_visible()
    expect(card.get_by_role("status")).to_be_hidden()
    expect(page.locator("#label")).to_have_text("proven safe")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    picture(page, f"judged-{scheme}-{width}")
    complaints.clear()  # of the 503


def told(route: Route, answers: list[tuple[int, Any]]) -> None:
    """The last of these answers; None is the server's own."""
    status, body = answers[-1]
    if body is None:
        route.continue_()
    else:
        wait = {"Retry-After": "600" if status == 503 else "2"}
        route.fulfill(status=status, json=body, headers=wait)


def picture(page: Page, name: str) -> None:
    if folder := os.environ.get("PICTURES"):
        page.screenshot(path=f"{folder}/{name}.png", full_page=True)


SIZES = {
    "phone": {"width": 390, "height": 844},
    "small": {"width": 360, "height": 640},
    "side": {"width": 844, "height": 390},
}


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
def test_a_phone_shows_the_controls_without_scrolling(new_context, matches, size):
    page = new_context(viewport=size, has_touch=True, is_mobile=True).new_page()
    for mode in ("classic", "battleship"):
        opened(page, matches[mode])
        expect(page.get_by_role("button", name="Play", exact=True)).to_be_in_viewport(ratio=1)
        expect(page.get_by_role("slider")).to_be_in_viewport(ratio=1)
        views = page.locator("#views")
        views.locator("[data-view='0']").evaluate("view => (view.textContent = 'Longfellow12345')")
        one = views.locator("[data-view=truth]").bounding_box()
        whole = views.bounding_box()
        assert one is not None
        assert whole is not None
        assert whole["height"] < 1.5 * one["height"], "the points of view are on one line"
        board = page.locator(".replay-board").first.bounding_box()
        assert board is not None
        assert board["height"] > 100


def test_the_replay_is_as_wide_as_every_page(page: Page, matches):
    page.set_viewport_size({"width": 1600, "height": 900})
    opened(page, matches["race"])
    edges = """() => [".site-header > div", "#content"].map((name) => {
      const element = document.querySelector(name);
      const { left, right } = element.getBoundingClientRect();
      const { paddingLeft, paddingRight } = getComputedStyle(element);
      return [left + parseFloat(paddingLeft), right - parseFloat(paddingRight)].map(Math.round);
    })"""
    header, content = page.evaluate(edges)
    assert header == content
