from __future__ import annotations

import json

import pytest
from django.test import Client

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
        name.split("/")[0] in {"site", "games", "modes", "lobby", "accounts"} for name in imports
    )
