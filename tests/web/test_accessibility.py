"""axe-core finds nothing serious on any page, light or dark."""

from __future__ import annotations

import pytest

from tests.web.axe import ALL_RULES, COLOURS, serious_violations

OPEN = [
    "/",
    "/daily/",
    "/puzzles/",
    "/puzzles/storm/",
    "/analyse/",
    "/watch/",
    "/play/classic/",
    "/play/race/",
    "/play/area-attack/",
    "/play/battleship/",
    "/play/minewars/",
    "/learn/",
    "/learn/classic/",
    "/learn/race/",
    "/learn/area-attack/",
    "/learn/battleship/",
    "/learn/minewars/",
    "/leaderboard/race/",
    "/stats/leaderboard/",
    "/accounts/login/",
    "/accounts/signup/",
    "/accounts/guest/",
    "/offline/",
    "/privacy/",
]
OWN = [
    "/history/",
    "/@Surveyor/",
    "/@Surveyor/stats/",
    "/stats/",
    "/accounts/settings/",
    "/accounts/settings/notifications/",
    "/accounts/settings/access/",
    "/accounts/settings/data/",
    "/accounts/email/",
    "/accounts/password/change/",
]


def check(page, path: str, rules: list[str]) -> list[str]:
    page.goto(path, wait_until="load")
    if path.startswith("/match/"):
        page.wait_for_selector("#replay:not([aria-busy])")
    return [f"{path} {found}" for found in serious_violations(page, rules)]


THEMES = pytest.mark.parametrize(("theme", "rules"), [("light", ALL_RULES), ("dark", COLOURS)])


@THEMES
def test_no_serious_violation_on_open_pages(new_context, theme, rules):
    page = new_context(color_scheme=theme, reduced_motion="reduce").new_page()
    assert not [found for path in OPEN for found in check(page, path, rules)]


@THEMES
def test_no_serious_violation_on_own_pages_and_replays(new_context, cookie, replays, theme, rules):
    context = new_context(color_scheme=theme, reduced_motion="reduce")
    context.add_cookies([cookie])
    page = context.new_page()
    assert not [found for path in OWN + replays for found in check(page, path, rules)]


def test_no_serious_violation_in_a_live_match(new_context):
    page = new_context(reduced_motion="reduce").new_page()
    page.goto("/play/classic/")
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/match/**")
    page.wait_for_selector("#match:not([aria-busy=true])")
    assert not serious_violations(page)


# Links in a text are as high as it; a box is chosen by its label.
SMALL = """() => [...document.querySelectorAll("button, select, summary, a.button, input")]
  .filter((each) => !["checkbox", "radio", "range", "hidden"].includes(each.type))
  .map((each) => [each, each.getBoundingClientRect()])
  .filter(([each, { width, height }]) => width && height && (width < 44 || height < 44))
  .map(([each, { width, height }]) => `${each.outerHTML.slice(0, 80)} ${width} x ${height}`)"""


def test_a_finger_can_hit_every_button(new_context):
    phone = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
    page = new_context(**phone).new_page()
    for path in ("/", "/play/race/", "/learn/race/", "/daily/", "/accounts/login/"):
        page.goto(path)
        assert page.evaluate(SMALL) == [], path
    page.goto("/play/classic/")
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/match/**")
    page.wait_for_selector("#match:not([aria-busy=true])")
    assert page.evaluate(SMALL) == []
