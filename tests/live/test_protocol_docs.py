"""Everything that goes over the match socket is in docs/protocol.md."""

from __future__ import annotations

from pathlib import Path

import pytest

from games.live import protocol, row

DOCS = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text()


def messages() -> list[str]:
    found = []
    for value in vars(protocol).values():
        config = getattr(value, "__struct_config__", None)
        if (
            config is not None
            and isinstance(config.tag, str)
            and not value.__name__.startswith("_")
        ):
            found.append(config.tag)
    return [*found, "event"]


@pytest.mark.parametrize("name", sorted(set(messages())))
def test_every_message_is_described(name):
    assert f"| `{name}` |" in DOCS


@pytest.mark.parametrize("code", sorted({*protocol.ERRORS, *row.CODES}))
def test_every_code_is_described(code):
    assert f"| `{code}` |" in DOCS


@pytest.mark.parametrize(
    "code", sorted(v for k, v in vars(protocol.Close).items() if not k.startswith("_"))
)
def test_every_close_code_is_described(code):
    assert str(code) in DOCS


def test_there_are_messages():
    assert {"hello", "act", "welcome", "view", "ack"} <= set(messages())
