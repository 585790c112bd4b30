"""The parts of the docs that are made from the code: `make docs` writes them.

A generated part stands between `<!-- name -->` and `<!-- /name -->`. A test checks that the
committed files are up to date.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Final

from games.engine.mode import Mode
from games.engine.registry import FOLDER, REGISTRY, built_in

ROOT: Final = Path(__file__).resolve().parents[1]


def modes() -> list[Mode]:
    """The modes that come with the site; EXTRA_MODES must not change the docs."""
    packages = built_in()
    return [mode for mode in REGISTRY.values() if REGISTRY.package(mode.name) in packages]


def folder_of(mode: Mode) -> Path:
    return FOLDER / REGISTRY.package(mode.name).rpartition(".")[2]


def players(mode: Mode) -> str:
    fewest, most = mode.seats
    return str(most) if fewest == most else f"{fewest} to {most}"


def mode_list(page: Path) -> str:
    """The modes with their rules, as a table."""
    rows = ["| game | players | what it is |", "|---|---|---|"]
    for mode in modes():
        rules = _link(page, folder_of(mode) / "RULES.md")
        rows.append(f"| [{mode.title}]({rules}) | {players(mode)} | {mode.blurb} |")
    return "\n".join(rows)


def _link(page: Path, target: Path) -> str:
    return os.path.relpath(target, page.parent)


def text_protocols(page: Path) -> str:
    """The modes that are played by text, with their addresses and their messages."""
    rows = ["| game | address | clients | messages |", "|---|---|---|---|"]
    for mode in modes():
        if mode.text is None:
            continue
        port = ", TCP port `TCP_PORT` (7777)" if mode.text.tcp else ""
        clients = "queue" if mode.text.rooms is None else "gather in rooms"
        described = _link(page, folder_of(mode) / "TEXT.md")
        rows.append(
            f"| {mode.title} | `/ws/text/{mode.name}/`{port} | {clients} | [TEXT.md]({described}) |"
        )
    return "\n".join(rows)


def docs_index(page: Path) -> str:
    """Every page of docs/ with its title."""
    lines = []
    for path in sorted((ROOT / "docs").glob("*.md")):
        if path != page:
            lines.append(f"- [{_title(path)}]({_link(page, path)})")
    lines += ["", "Rules of the games:", ""]
    for mode in modes():
        lines.append(f"- [{mode.title}]({_link(page, folder_of(mode) / 'RULES.md')})")
    lines += ["", "Decisions that would surprise a reader:", ""]
    lines += [f"- [{_title(path)}]({_link(page, path)})" for path in decision_records()]
    return "\n".join(lines)


def decision_records() -> list[Path]:
    return [p for p in sorted((ROOT / "docs" / "decisions").glob("*.md")) if p.stem != "README"]


def decisions(page: Path) -> str:
    """Every decision record with its decision: the first sentence after `**Decision.**`."""
    rows = ["| record | decision |", "|---|---|"]
    for path in decision_records():
        paragraph = path.read_text().partition("**Decision.** ")[2].partition("\n\n")[0]
        sentence = re.split(r"(?<=[.:]) (?=[A-Z])", " ".join(paragraph.split()))[0]
        rows.append(f"| [{_title(path)}]({path.name}) | {sentence} |")
    return "\n".join(rows)


def _title(path: Path) -> str:
    return path.read_text().partition("\n")[0].removeprefix("# ")


PARTS: Final[dict[str, Callable[[Path], str]]] = {
    "modes": mode_list,
    "index": docs_index,
    "decisions": decisions,
    "text_protocols": text_protocols,
}
MARKED: Final = re.compile(r"<!-- (?P<name>\w+) -->\n.*?<!-- /(?P=name) -->", re.DOTALL)


def rendered(page: Path) -> str:
    """The page with its generated parts made anew."""

    def part(found: re.Match[str]) -> str:
        make = PARTS.get(found["name"])
        if make is None:
            return found[0]
        return f"<!-- {found['name']} -->\n{make(page)}\n<!-- /{found['name']} -->"

    return MARKED.sub(part, page.read_text())


def pages() -> list[Path]:
    """Every page that has a generated part."""
    found = [ROOT / "README.md", *ROOT.glob("docs/**/*.md"), *FOLDER.glob("*/RULES.md")]
    return [page for page in sorted(found) if MARKED.search(page.read_text())]


def main() -> None:
    for page in pages():
        page.write_text(rendered(page))
        print(page.relative_to(ROOT))


if __name__ == "__main__":
    main()
