"""Two browsers play a whole match through every order of the rules."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, expect

from games.modes.minewars.rules.tiles import DECOY, ITEM, MINE
from games.modes.minewars.tests.campaign import Campaign, SquareCampaign
from games.modes.minewars.tests.trial import LONG, Player, start
from tests.running_site import RunningSite

SMOKE_BIT, DIGITS = 1 << 25, 15 << 20


def item(player: Player, cell: int) -> int:
    """The item that the page shows on this tile."""
    return player.tiles()[cell] >> ITEM & 3


@pytest.mark.timeout(400)
@pytest.mark.parametrize("campaign", [Campaign, *([SquareCampaign] if LONG else [])])
def test_two_browsers_play_a_whole_match_with_every_order(
    site: RunningSite, new_context: Callable[..., BrowserContext], campaign: type[Campaign]
) -> None:
    trial = start(site, new_context, campaign, f"duel-{campaign.__name__}")
    ann, bob = trial.players

    trial.vote()
    expect(ann.page.locator(".war-ban-cities [aria-pressed=true]")).to_have_count(2)
    expect(ann.page.locator(".players")).not_to_contain_text("ready")
    ann.picture("ban")
    trial.play(trial.begin)
    for player in trial.players:
        player.says("is banned: nobody starts there.")
        expect(player.page.locator(".war-city")).to_have_count(1)

    # Ann alone: land, a city, money for what is surrounded, and everything that is built.
    trial.play(trial.flood, trial.take_the_neutral_city)
    ann.says("is yours.")
    bob.says("took")
    expect(ann.page.locator(".war-city")).to_have_count(2)
    trial.play(trial.sell)
    ann.says("sold")
    trial.play(trial.link)
    ann.says("they share their money.")
    trial.play(trial.barricade, trial.watch, trial.bridge, trial.cancel)
    expect(ann.page.locator(".war-queue li")).to_have_count(0)
    trial.play(trial.harvest)
    ann.says("harvest")
    trial.play(trial.bulldoze)
    ann.says("refund")
    ann.see("built")

    # Both at one border. An item on Bob's land is his secret until Ann reveals it.
    trial.play(trial.come_near, trial.trap)
    assert [item(ann, cell) for cell in trial.touched[:3]] == [0, 0, 0]
    trial.play(trial.smoke)
    hidden = ann.tiles()[trial.smoked]
    assert hidden & SMOKE_BIT
    assert not hidden & DIGITS
    trial.play(trial.reveal)
    assert item(ann, trial.touched[1]) == DECOY
    trial.play(trial.take_back, trial.step_on_flashbang)
    expect(ann.page.locator(".war-effect.is-blind")).to_be_visible()
    ann.says("A flashbang!")
    bob.says("Your flashbang blinded")
    trial.play(trial.upgrade)
    assert item(ann, trial.touched[1]) == MINE, "a revealed tile stays known"

    trial.play(trial.step_on_mine)
    expect(ann.page.locator(".war-effect.is-stunned")).to_be_visible()
    ann.says("A mine! You’re stunned")
    bob.says("stepped on your mine.")
    ann.click(trial.touched[1])
    ann.says("You’re stunned.")
    ann.see("stunned")
    flagged = trial.touched[1]
    trial.act(trial.ann, "flag", cell=flagged, on=True)  # also while stunned
    assert flagged not in trial.state.empires[2].flags
    trial.play(trial.strike)
    trial.act(trial.ann, "flag", cell=flagged, on=False)

    trial.play(trial.win)
    for player, name in zip(trial.players, ("won", "lost"), strict=True):
        expect(player.page.get_by_role("dialog", name="Result")).to_be_visible()
        player.see(name)
        assert player.refusals() == []
