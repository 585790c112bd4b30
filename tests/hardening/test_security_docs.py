"""docs/security.md: every requirement is there once, and the evidence exists."""

from __future__ import annotations

import re
from itertools import chain

import pytest
from django.test import AsyncClient

from tests.running_site import ROOT

PAGE = ROOT / "docs" / "security.md"
# OWASP ASVS 5.0, levels 1 and 2: in each section, the numbers of these levels run without a gap.
SECTIONS = {
    1: {1: 2, 2: 9, 3: 11, 4: 3, 5: 2},
    2: {1: 3, 2: 3, 3: 4, 4: 1},
    3: {2: 2, 3: 4, 4: 6, 5: 5, 7: 2},
    4: {1: 3, 2: 1, 3: 2, 4: 4},
    5: {1: 1, 2: 3, 3: 2, 4: 3},
    6: {1: 3, 2: 12, 3: 4, 4: 4, 5: 5, 6: 3, 8: 4},
    7: {1: 3, 2: 4, 3: 2, 4: 5, 5: 2, 6: 2},
    8: {1: 2, 2: 3, 3: 1, 4: 1},
    9: {1: 3, 2: 4},
    10: {1: 2, 2: 2, 3: 4, 4: 11, 5: 5, 6: 2, 7: 3},
    11: {1: 2, 2: 3, 3: 3, 4: 4, 5: 1, 6: 1},
    12: {1: 3, 2: 2, 3: 4},
    13: {1: 1, 2: 5, 3: 2, 4: 5},
    14: {1: 2, 2: 4, 3: 3},
    15: {1: 3, 2: 3, 3: 7},
    16: {1: 1, 2: 5, 3: 4, 4: 3, 5: 3},
    17: {1: 1, 2: 4, 3: 2},
}
REQUIREMENTS = [
    f"{chapter}.{section}.{number}"
    for chapter, sections in SECTIONS.items()
    for section, last in sections.items()
    for number in range(1, last + 1)
]
ROW = re.compile(r"^\| (\d+\.\d+\.\d+(?:, \d+\.\d+\.\d+)*) \| ([^|]+) \| ([^|]+) \|$", re.MULTILINE)


def test_every_requirement_is_answered_once_with_evidence_or_a_reason() -> None:
    rows = ROW.findall(PAGE.read_text())
    answered = list(chain.from_iterable(ids.split(", ") for ids, _, _ in rows))
    assert len(REQUIREMENTS) == 253
    assert sorted(answered) == sorted(REQUIREMENTS)
    for ids, verdict, reason in rows:
        assert verdict.split(",")[0] in ("yes", "partly", "no", "–"), ids
        assert reason.strip(), ids


def test_named_tests_exist() -> None:
    """A name without a folder is in the folder of the one before it, or of its table's heading."""
    missing = []
    for line in PAGE.read_text().splitlines():
        folder = ROOT / "tests" / "games" / "contest"
        for name in re.findall(r"`((?:tests/|hostile/)?[\w/*]+\.(?:py|txt))`", line):
            if (ROOT / name).exists():
                folder = (ROOT / name).parent if name.startswith("tests/") else folder
                continue
            path = ROOT / name if name.startswith("tests/") else folder / name
            if not list(path.parent.glob(path.name)) and not list((folder / "hostile").glob(name)):
                missing.append(name)
            if name.startswith("tests/"):
                folder = path.parent
    assert missing == []


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("path", ["/", "/accounts/login/", "/healthz", "/api/v1/matches", "/none"])
async def test_headers_of_every_answer(path: str) -> None:
    answer = await AsyncClient().get(path)
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["Referrer-Policy"] == "same-origin"
    assert answer["X-Frame-Options"] == "DENY"
    policy = answer["Content-Security-Policy"]
    for part in ("object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"):
        assert part in policy
    assert "unsafe" not in policy
    assert "Access-Control-Allow-Origin" not in answer


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("path", ["/", "/accounts/login/", "/api/v1/matches"])
async def test_trace_shows_nobody_their_headers(path: str) -> None:
    answer = await AsyncClient().trace(path, headers={"X-Secret": "sesame"})
    assert answer.status_code in (403, 405)
    assert b"sesame" not in answer.content
