"""`make matrix` tests every installed Python with the pins, and the newest Django once."""

from __future__ import annotations

import sys

from tests.matrix import PYTHONS, combinations, installed


def test_the_newest_django_runs_on_the_newest_python():
    found = combinations({"3.11": "/a/python3.11", "3.13": "/b/python3.13"})
    assert [(one.name, one.python, one.packages) for one in found] == [
        ("python-3.11", "/a/python3.11", ()),
        ("python-3.13", "/b/python3.13", ()),
        ("newest-django", "/b/python3.13", ("Django",)),
    ]
    assert combinations({}) == []


def test_only_supported_pythons_are_found():
    assert set(installed()) <= set(PYTHONS)
    assert sys.version_info >= tuple(map(int, PYTHONS[0].split(".")))
