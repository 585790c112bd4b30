"""The pages of the project lead somewhere: links, anchors, commands, paths and code."""

from __future__ import annotations

import ast
import json
import re
import subprocess
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest
from django.core.management import get_commands

from tests.ground.documents import (
    CODE,
    anchors,
    blocks,
    documents,
    indented,
    prose,
    targets,
    too_long,
)
from tests.running_site import ROOT

FOLDERS = ("accounts", "bench", "deploy", "docs", "games", "lobby", "minesite", "tests")
PATH = re.compile(rf"(?:{'|'.join(FOLDERS)})/[\w./@-]+")
# Names of static files and templates begin in their app's folder.
ROOTS = [
    ROOT,
    *ROOT.glob("*/static"),
    *ROOT.glob("*/static/*"),
    *ROOT.glob("*/templates"),
    *ROOT.glob("games/*/templates"),
]
FILE = re.compile(r"[\w-]+\.(?:py|js|mjs|css|html|conf|sh|toml|yml)")
# Made by a run or put there by the operator.
NOT_STORED = ("bench/results", "deploy/certificates")
every_page = pytest.mark.parametrize(
    "page", documents(), ids=lambda page: page.relative_to(ROOT).as_posix()
)


def commands(text: str) -> list[str]:
    """Everything on a page that is to be typed, or named as if it were."""
    code = CODE.findall(prose(text))
    return [*(" ".join(part.split()) for part in code), *indented(text)]


@every_page
def test_links_and_their_anchors_exist(page: Path):
    broken = []
    for target, anchor in targets(page.read_text()):
        linked = page.parent / target if target else page
        if not linked.exists() or (
            anchor and linked.suffix == ".md" and anchor not in anchors(linked.read_text())
        ):
            broken.append(f"{target}#{anchor}")
    assert broken == []


@every_page
def test_targets_of_make_exist(page: Path):
    makefile = (ROOT / "Makefile").read_text()
    known = set(re.findall(r"^([a-z][\w-]*):", makefile, re.MULTILINE))
    named = {
        word
        for command in commands(page.read_text())
        if (found := re.match(r"make((?: [a-z][\w-]*)+)", command))
        for word in found[1].split()
    }
    assert named - known == set()


@every_page
def test_management_commands_exist(page: Path):
    known = set(get_commands())
    named = {
        name
        for command in commands(page.read_text())
        for name in re.findall(r"manage\.py ([a-z]\w*)", command)
    }
    assert named - known == set()


@every_page
def test_modules_that_are_run_exist(page: Path):
    named = {
        name
        for command in commands(page.read_text())
        for name in re.findall(r"python3? -m ([\w.]+)", command)
    }
    assert [name for name in sorted(named) if find_spec(name) is None] == []


@every_page
def test_named_files_exist(page: Path):
    named = {
        code.rstrip("./")
        for code in CODE.findall(prose(page.read_text()))
        if PATH.fullmatch(code) and not code.startswith(NOT_STORED)
    }
    roots = [*ROOTS, page.parent]
    assert [path for path in sorted(named) if not any((r / path).exists() for r in roots)] == []


@cache
def file_names() -> frozenset[str]:
    found = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True
    )
    return frozenset(path.rpartition("/")[2] for path in found.stdout.splitlines())


def of_no_file(text: str) -> list[str]:
    """Names without a folder that no file has."""
    named = {code for code in CODE.findall(prose(text)) if FILE.fullmatch(code)}
    return sorted(named - file_names())


@every_page
def test_files_named_without_their_folder_exist(page: Path):
    assert of_no_file(page.read_text()) == []


def test_a_name_of_no_file_is_found():
    assert of_no_file("from `heartbeat.py`, never `heartbeats.py`") == ["heartbeats.py"]


@every_page
def test_code_blocks_are_code(page: Path):
    for block in blocks(page.read_text()):
        if block.language.split()[:1] == ["python"]:
            ast.parse(block.text)
        elif block.language == "json":
            json.loads(block.text)


def test_the_anchors_are_those_of_github():
    text = "# The match socket: `/ws/match/<id>/`\n\n## A, b & c\n\n## Twice\n\n## Twice\n"
    assert anchors(text) == {"the-match-socket-wsmatchid", "a-b--c", "twice", "twice-1"}


@every_page
def test_lines_are_wrapped(page: Path):
    assert too_long(page.read_text()) == [], "wrap these lines at 100 characters"


def test_only_what_can_be_wrapped_is_too_long():
    long = "word " * 30
    address = "https://example.org/" + "x" * 100
    text = f"{long}\n| {long} |\n- {long}\n- {address}\n```\n{long}\n```\n    {long}\n"
    assert too_long(text) == [1, 3, 8]
