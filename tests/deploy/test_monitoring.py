"""Alerts and dashboard ask only for metrics that the site has and the docs describe."""

from __future__ import annotations

import json
import re

import pytest

from tests.running_site import ROOT

METRIC = re.compile(r"\bminesite_[a-z_]+")
SUFFIXES = ("_bucket", "_count", "_sum")


def described() -> set[str]:
    return set(METRIC.findall((ROOT / "docs" / "operations.md").read_text()))


@pytest.mark.parametrize("name", ["alerts.yaml", "grafana.json"])
def test_every_metric_is_described(name: str) -> None:
    asked = set(METRIC.findall((ROOT / "deploy" / name).read_text()))
    assert len(asked) > 5
    known = described()
    known |= {metric + suffix for metric in known for suffix in SUFFIXES}
    assert asked <= known


def test_the_dashboard_has_panels_that_do_not_overlap() -> None:
    panels = json.loads((ROOT / "deploy" / "grafana.json").read_text())["panels"]
    places = [
        (panel["gridPos"]["x"] // 12, panel["gridPos"]["y"] // panel["gridPos"]["h"])
        for panel in panels
    ]
    assert len(set(places)) == len(panels) > 5
    assert len({panel["id"] for panel in panels}) == len(panels)
