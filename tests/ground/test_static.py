from __future__ import annotations

import json
import os

import pytest
from django.test import Client

from minesite import static_files
from minesite.import_map import build

pytestmark = pytest.mark.django_db
FILE = "/static/site/tokens.css"


def test_a_static_file_is_answered_whole_in_part_or_not_again():
    client = Client()
    whole = client.get(FILE)
    assert whole.status_code == 200
    assert whole["Content-Type"].startswith("text/css")
    assert not whole.streaming
    part = client.get(FILE, headers={"Range": "bytes=0-9"})
    assert (part.status_code, part.content) == (206, whole.content[:10])
    again = client.get(FILE, headers={"If-Modified-Since": whole["Last-Modified"]})
    assert (again.status_code, again.content) == (304, b"")
    head = client.head(FILE)
    assert (head.status_code, head.content) == (200, b"")


def test_a_path_out_of_the_static_folder_finds_nothing():
    for path in ("/static/../settings.py", "/static/site/../../settings.py", "/static/%2e%2e/x"):
        assert Client().get(path).status_code == 404


def test_every_module_of_ours_is_in_the_import_map_and_third_parties_are_not():
    imports = json.loads(build())["imports"]
    assert imports["site/main.js"] == "/static/site/main.js"
    assert all(
        name.split("/")[0] in {"site", "games", "modes", "lobby", "chat", "accounts"}
        for name in imports
    )


@pytest.fixture
def static_dir(tmp_path, settings):
    settings.STATIC_ROOT, settings.STATIC_IS_PUBLIC = tmp_path / "www" / "static", True
    before = os.umask(0o077)
    yield settings.STATIC_ROOT
    os.umask(before)


def test_a_proxy_can_read_what_is_collected_in_static_dir(static_dir):
    static_files.collect_if_changed()
    modes = {path: path.stat().st_mode & 0o777 for path in static_dir.rglob("*")}
    assert static_dir / "site" / "tokens.css" in modes
    assert static_dir.stat().st_mode & 0o777 == 0o755
    for path, mode in modes.items():
        if path.name != ".fingerprint":
            assert mode == (0o755 if path.is_dir() else 0o644), path
    static_files.collect_if_changed()


def test_collecting_never_clears_a_folder_with_other_files(static_dir):
    static_dir.mkdir(parents=True)
    (static_dir / "diary.txt").write_text("mine")
    with pytest.raises(static_files.NotOurs, match="has other files"):
        static_files.collect_if_changed()
    assert (static_dir / "diary.txt").read_text() == "mine"
