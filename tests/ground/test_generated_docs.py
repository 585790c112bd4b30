"""The generated parts of the docs are those of the code."""

from __future__ import annotations

from pathlib import Path

import pytest

from minesite.generated_docs import ROOT, decision_records, folder_of, modes, pages, rendered


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_generated_parts_are_up_to_date(page: Path) -> None:
    assert page.read_text() == rendered(page), "run `make docs`"


def test_every_mode_is_in_the_readme_and_the_index() -> None:
    for page in (ROOT / "README.md", ROOT / "docs" / "index.md"):
        text = page.read_text()
        for mode in modes():
            assert f"{folder_of(mode).name}/RULES.md" in text


@pytest.mark.parametrize("record", decision_records(), ids=lambda record: record.stem)
def test_every_record_begins_with_its_decision(record: Path) -> None:
    title, _, rest = record.read_text().partition("\n\n")
    assert title.startswith("# ")
    assert rest.startswith("**Decision.** ")
