"""Pauses for garbage collection: measured, and short however much the process keeps."""

from __future__ import annotations

import gc
import subprocess
import sys
from pathlib import Path

from prometheus_client import REGISTRY

from minesite.collector import Collector

ROOT = Path(__file__).resolve().parents[2]

CROWD = """
import gc, weakref
from minesite.collector import COLLECTOR, settle

class Node: pass

settle()
kept, garbage = [], []
for n in range(300_000):
    kept.append([n])
    if n % 100 == 0:
        node = Node()
        node.itself = node  # only a collection finds it
        garbage.append(weakref.ref(node))
        del node
print(gc.get_freeze_count(), sum(ref() is not None for ref in garbage))
"""


def test_lasting_objects_are_frozen_and_cycles_are_still_found() -> None:
    done = subprocess.run(
        [sys.executable, "-c", CROWD], cwd=ROOT, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    frozen, left = map(int, done.stdout.split())
    assert frozen > 150_000
    assert left < 1_000  # those since the last collection


def test_pauses_are_exported_outside_of_the_collection() -> None:
    collector = Collector()
    before = REGISTRY.get_sample_value("minesite_gc_pause_seconds_count") or 0
    collector.on_collection("start", {"generation": 0})
    collector.on_collection("stop", {"generation": 0})
    assert (REGISTRY.get_sample_value("minesite_gc_pause_seconds_count") or 0) == before
    collector.export()
    assert REGISTRY.get_sample_value("minesite_gc_pause_seconds_count") == before + 1
    assert gc.isenabled()
