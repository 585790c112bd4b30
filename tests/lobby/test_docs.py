"""Every message, code and setting of the lobby is described."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from lobby import endings, invitations, matchmaker, pairing, protocol, rematch
from lobby.errors import CODES

ROOT = Path(__file__).parent.parent.parent
DOC = (ROOT / "docs" / "lobby.md").read_text()


def section(title: str) -> str:
    return DOC.split(f"\n## {title}\n")[1].split("\n## ")[0]


@pytest.mark.parametrize("kind", protocol.CLIENT_TYPES)
def test_every_message_of_a_client_is_described(kind: str) -> None:
    rows = [row for row in section("What a client says").splitlines() if row.startswith("|")]
    (row,) = [row for row in rows if f"`{kind}`" in row.split("|")[1]]
    (struct,) = [s for s in protocol.Client.__args__ if s.__struct_config__.tag == kind]
    assert all(f"`{field}`" in row for field in struct.__struct_fields__)


@pytest.mark.parametrize("kind", protocol.SERVER_TYPES)
def test_every_message_of_the_server_is_described(kind: str) -> None:
    assert f"\n| `{kind}` |" in section("What the server says")


def test_the_server_says_nothing_else() -> None:
    said = set()
    folders = [ROOT / "lobby" / name for name in (".", "chat", "people", "tournaments")]
    for path in (path for folder in folders for path in folder.glob("*.py")):
        said |= set(re.findall(r'"type": "([a-z_]+)"', path.read_text()))
    assert said == set(protocol.SERVER_TYPES)


def test_codes_are_described_and_used() -> None:
    described = re.findall(r"^\| `([a-z_]+)` \|", section("Error codes"), re.M)
    assert described == sorted(CODES)
    source = "".join(
        path.read_text() for path in (ROOT / "lobby").rglob("*.py") if path.name != "errors.py"
    )
    used = {code for code in CODES if f'"{code}"' in source}
    assert used == set(CODES)


def test_the_numbers_are_those_of_the_code() -> None:
    config = pairing.Config(sizes={})
    pairing_text = section("How players are paired")
    assert matchmaker.WAVE_SECONDS == 0.5
    for number in (
        f"{config.window:.0f} points",
        f"{config.widen_per_second:.0f} wider",
        f"after {config.open_after_ms // 1000} s",
        f"each {config.patience_ms // 1000} s",
        "`BOT_OFFER_SECONDS` (20)",
    ):
        assert number in pairing_text
    for wait in endings.WAITS[1:]:
        assert f"{wait} s" in section("Not ready")
    assert f"{rematch.ANSWER_MS // 1000} s" in section("Again?")
    assert invitations.MOST_OPEN == 5
