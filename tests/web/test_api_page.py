"""The API's page: every operation and message, with examples to copy, on every screen."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Page, expect

from games.live import protocol as match_protocol
from lobby import protocol as lobby_protocol
from tests.web.axe import serious_violations

SCREENS = {
    "desktop": {"viewport": {"width": 1280, "height": 800}},
    "phone": {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True},
    "landscape": {"viewport": {"width": 844, "height": 390}, "is_mobile": True, "has_touch": True},
}


def test_every_operation_and_message_is_on_it(page: Page):
    schema = page.request.get("/api/v1/openapi.json").json()
    page.goto("/api/v1/docs")
    for path, item in schema["paths"].items():
        for method, operation in item.items():
            card = page.locator(f"#{operation['operationId']}")
            expect(card.get_by_role("heading", level=3)).to_have_text(f"{method.upper()} {path}")
            for parameter in operation.get("parameters", []):
                expect(card.locator("dt code", has_text=parameter["name"]).first).to_be_visible()
    for card, kinds in (
        ("#ws-match", (*match_protocol.Incoming.__args__, *match_protocol.Outgoing.__args__)),
        ("#ws-lobby", lobby_protocol.Client.__args__),
    ):
        titles = page.locator(f"{card} h5").all_inner_texts()
        assert titles == [str(kind.__struct_config__.tag) for kind in kinds]


def test_the_examples_are_messages(page: Page):
    page.goto("/api/v1/docs")
    examples = page.locator("#ws-lobby h5 + pre").all_inner_texts()
    assert len(examples) == len(lobby_protocol.CLIENT_TYPES)
    for example in examples:
        lobby_protocol.decode(example)
    for example in page.locator("#ws-match h5 + pre").all_inner_texts():
        match_protocol.decode(example)


def test_an_example_is_copied_and_works(new_context):
    page = new_context(permissions=["clipboard-read", "clipboard-write"]).new_page()
    page.goto("/api/v1/docs")
    card = page.locator("article", has=page.get_by_role("heading", name="GET /api/v1/modes"))
    card.get_by_text("Python", exact=True).click()
    card.get_by_role("button", name="Copy Python").click()
    expect(page.locator(".toast")).to_contain_text("Copied.")
    code = page.evaluate("navigator.clipboard.readText()")
    said: list[bytes] = []
    exec(code, {"print": said.append})  # noqa: S102
    assert {mode["name"] for mode in json.loads(said[0])} >= {"classic", "race"}


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("screen", SCREENS)
def test_it_fits_the_screen_and_axe_finds_nothing(new_context, screen, theme):
    page = new_context(color_scheme=theme, reduced_motion="reduce", **SCREENS[screen]).new_page()
    page.goto("/api/v1/docs")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.locator("details.api-code summary").first.click()
    assert not serious_violations(page)
