"""The Markdown pages of the project, taken apart for tests."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.running_site import ROOT

WIDTH = 100
LINK = re.compile(r"\[[^\]]*\]\((?P<target>[^)\s]+)\)")
CODE = re.compile(r"`([^`]+)`")
HEADING = re.compile(r"^#{1,6} (?P<title>.+)$", re.MULTILINE)
FENCED = re.compile(r"^```(?P<language>[^\n]*)\n(?P<text>.*?)^```", re.MULTILINE | re.DOTALL)
COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)


class Block(NamedTuple):
    language: str
    text: str


def documents() -> list[Path]:
    return sorted(
        [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("games/modes/*/*.md")]
    )


def prose(text: str) -> str:
    """A page without its fenced code."""
    return FENCED.sub("", text)


def blocks(text: str) -> list[Block]:
    return [Block(found["language"].strip(), found["text"]) for found in FENCED.finditer(text)]


def indented(text: str) -> list[str]:
    """The lines of indented code, which the pages use for commands."""
    return [line.strip() for line in prose(text).splitlines() if line.startswith("    ")]


def targets(text: str) -> Iterator[tuple[str, str]]:
    """Page and anchor of each link; links to other sites are left out."""
    for found in LINK.finditer(prose(text)):
        if "://" not in found["target"] and not found["target"].startswith("mailto:"):
            page, _, anchor = found["target"].partition("#")
            yield page, anchor


def anchors(text: str) -> set[str]:
    """The anchors that GitHub makes of headings."""
    found: set[str] = set()
    for heading in HEADING.finditer(prose(text)):
        title = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading["title"]).lower().strip()
        slug = re.sub(r"[^\w\- ]", "", title).replace(" ", "-")
        number = sum(1 for other in found if re.fullmatch(rf"{re.escape(slug)}(-\d+)?", other))
        found.add(f"{slug}-{number}" if number else slug)
    return found


def too_long(text: str) -> list[int]:
    """Numbers of lines over the width that could be wrapped: no rows of tables, no fenced code, and
    no lines with one very long word, such as an address."""
    found, fenced = [], False
    for number, line in enumerate(text.splitlines(), 1):
        fence = line.startswith("```")
        fenced ^= fence
        longest = max(map(len, line.split()), default=0)
        kept = fenced or fence or line.startswith("|") or longest > 80
        if len(line) > WIDTH and not kept:
            found.append(number)
    return found
