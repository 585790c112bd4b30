"""Four browsers in two teams, on squares."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, expect

from games.modes.minewars.tests.campaign import TeamSkirmish
from games.modes.minewars.tests.trial import Player, start
from tests.running_site import RunningSite
from tests.web.matches import at


def heard(player: Player, kind: str) -> list[dict[str, object]]:
    return [event for event in player.events if event["type"] == kind]


@pytest.mark.timeout(200)
def test_four_browsers_play_a_whole_match_in_two_teams(
    site: RunningSite, new_context: Callable[..., BrowserContext]
) -> None:
    trial = start(site, new_context, TeamSkirmish, "teams")
    ann, cid, bob, dee = trial.players
    assert isinstance(trial, TeamSkirmish)
    trial.play(trial.begin, trial.flood)
    ann.until(lambda: cid.tiles() == ann.tiles(), "allies don't see the same")
    badges = [row.inner_text() for row in ann.page.locator(".player-foot").all()]
    assert ["ally" in text for text in badges] == [False, True, False, False]
    bars = ann.page.locator(".player-bar").evaluate_all("all => all.map((b) => b.style.background)")
    assert bars[0] == bars[1] != bars[2] == bars[3], "allies share the colour of their land"

    # A ping by key, where the pointer is; only the ally learns of it.
    spot = trial.beside(trial.ann)[0] if trial.beside(trial.ann) else trial.first
    cid.bring(spot)
    cid.page.mouse.move(*at(cid.page, spot))
    cid.page.keyboard.press("p")
    for player in (ann, cid):
        player.until(lambda player=player: heard(player, "pinged"), "no ping arrived")
    assert (
        heard(ann, "pinged")
        == heard(cid, "pinged")
        == [{"type": "pinged", "seat": 1, "cell": spot}]
    )
    ann.picture("teams-ping-0")

    # Allies see each other's orders under way; nobody else does.
    trial.play(trial.come_near, trial.trap)
    cid.arm("strike")
    cid.click(trial.touched[0])
    cid.page.keyboard.press("Enter")
    ann.until(lambda: heard(ann, "ally_ordered"), "the ally's order is not shown")
    drawn = ann.board("state.marks.orders.map(({ icon, cells }) => [icon, cells])")
    assert ["strike", [trial.touched[0]]] in drawn
    ann.see("teams-ally-orders-0")
    ann.until(lambda: heard(ann, "ally_done"), "the ally's order is not done")
    for player in (bob, dee):
        assert not heard(player, "pinged")
        assert all(event["seat"] in (2, 3) for event in heard(player, "ally_ordered"))

    trial.play(trial.smoke, trial.reveal, trial.strike, trial.win)
    for player in trial.players:
        expect(player.page.get_by_role("dialog", name="Result")).to_be_visible()
        assert player.refusals() == []
    ann.see("teams-won")
