"""What may be written: the form of a text, words that nobody should read, links.

The lists are `words/<language>.txt`, one word per line; `*` at the end of a word stands for any
ending, at its beginning for any beginning. All lists hold for all texts, whatever language the
writer uses.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from datetime import datetime, timedelta
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Final

from lobby.chat.models import LONGEST
from lobby.errors import LobbyError

WORDS: Final = Path(__file__).parent / "words"
NEW_FOR: Final = timedelta(days=7)
"""An account younger than this may not write links."""
MOST_MARKS: Final = 2
"""Combining marks on one letter; more of them paint over the lines above."""
LOOKALIKES: Final = str.maketrans("013457@$!|", "oieastasil")
LINK: Final = re.compile(
    r"https?:|www\.|[a-z0-9-]{2,}\s?[.,]\s?(?:com|net|org|info|biz|io|gg|tv|xyz|ru|de|fr|es|uk|me"
    r"|co|eu|cn|link|site|online|shop|top|app|dev|ly)\b",
    re.IGNORECASE,
)


def cleaned(text: str) -> str:
    """The text in one line, without what is invisible; raises LobbyError when it is empty or too
    long."""
    composed = unicodedata.normalize("NFC", text)
    spaced = "".join(" " if c.isspace() else c for c in composed)
    shown = "".join(c for c in spaced if not unicodedata.category(c).startswith("C"))
    plain = " ".join(_few_marks(shown).split())
    if not plain:
        raise LobbyError("chat_empty")
    if len(plain) > LONGEST:
        raise LobbyError("chat_too_long", most=LONGEST)
    return plain


def _few_marks(text: str) -> str:
    kept: list[str] = []
    marks = 0
    for character in text:
        marks = marks + 1 if unicodedata.combining(character) else 0
        if marks <= MOST_MARKS:
            kept.append(character)
    return "".join(kept)


def refuse_bad(text: str, joined: datetime, now: datetime) -> None:
    """Raises LobbyError for a listed word, and for a link from a new account."""
    if joined > now - NEW_FOR and LINK.search(text):
        raise LobbyError("chat_no_links")
    if is_listed(text):
        raise LobbyError("chat_words")


def is_listed(text: str) -> bool:
    """Is a word of this text on a list? Accents, look-alike figures, repeated letters and letters
    set apart do not hide it."""
    pattern = _pattern()
    return any(pattern.search(f" {form} ") for form in _forms(text))


def _forms(text: str) -> Iterable[str]:
    folded = unicodedata.normalize("NFKD", text.casefold())
    letters = "".join(c for c in folded if not unicodedata.combining(c)).replace("ß", "ss")
    for read in (letters, letters.translate(LOOKALIKES)):
        words = re.findall(r"[^\W\d_]+", read)
        yield " ".join(_joined(words))
        yield _single(" ".join(_joined(words)))


def _joined(words: list[str]) -> Iterable[str]:
    """The words, with single letters in a row put together: "b a d" is "bad"."""
    for is_single, run in groupby(words, lambda word: len(word) == 1):
        if is_single:
            yield "".join(run)
        else:
            yield from run


def _single(text: str) -> str:
    """Each letter once, however often it is repeated."""
    return "".join(letter for letter, _run in groupby(text))


@cache
def _pattern() -> re.Pattern[str]:
    listed: set[str] = set()
    for path in sorted(WORDS.glob("*.txt")):
        lines = (line.strip() for line in path.read_text().splitlines())
        listed |= {line for line in lines if line and not line.startswith("#")}
    both = listed | {_single(word) for word in listed if len(_single(word)) > 3}
    return re.compile(" (?:" + "|".join(map(_as_pattern, sorted(both))) + ") ")


def _as_pattern(word: str) -> str:
    return re.escape(word).replace(r"\*", "[^ ]*")
