"""Invariants after any chaos: the players' records against the archive."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

from games.live.entry import unpack_log
from games.replay import Replay, replay_entries
from tests.chaos.player import view_hash

Rows = dict[str, tuple[str, str, bytes | None]]
FAIR_ENDS = {"full", "time"}


def check(record: Path, rows: Rows) -> list[str]:
    """Everything that is wrong; empty when every promise was kept."""
    notes: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for line in record.read_text().splitlines():
        note = json.loads(line)
        notes[note["match"]].append(note)
    wrong = []
    for match_id in sorted(set(rows) | set(notes)):
        status, reason, packed = rows.get(match_id, ("missing", "", None))
        if packed is None:
            wrong.append(f"{match_id} is stuck: {status} {reason}")
            continue
        if reason not in FAIR_ENDS:
            wrong.append(f"{match_id} ended by {reason}")
        try:
            again = replay_entries(unpack_log(packed))
            wrong += [f"{match_id}: {what}" for what in _check_match(again, notes[match_id])]
        except Exception as error:
            wrong.append(f"{match_id} cannot be replayed: {error!r}")
    return wrong


def _check_match(again: Replay, notes: list[dict[str, Any]]) -> list[str]:
    wrong = []
    numbers = [entry.seq for entry in again.entries]
    if numbers != list(range(len(numbers))):
        wrong.append("the log has gaps")
    if any(b.t < a.t for a, b in zip(again.entries, again.entries[1:], strict=False)):
        wrong.append("time goes back in the log")
    for events in again.by_entry:
        for one in events:
            if one.event["type"] in ("claimable", "retired"):
                wrong.append(f"a player was lost: {one.event}")
    for seat in (0, 1):
        mine = [note for note in notes if note["seat"] == seat]
        wrong += [f"seat {seat}: {what}" for what in _check_seat(again, seat, mine)]
    return wrong


def _check_seat(again: Replay, seat: int, notes: list[dict[str, Any]]) -> list[str]:
    wrong = []
    stored = [e.cid for e in again.entries if e.seat == seat and e.kind == "action"]
    times = Counter(stored)
    for cid, number in times.items():
        if number > 1:
            wrong.append(f"{cid} is in the log {number} times")
    for note in notes:
        if note["what"] == "ack" and not times[note["id"]]:
            wrong.append(f"{note['id']} was acknowledged and is not in the log")
        elif note["what"] == "gap":
            wrong.append(f"event {note['got']} came instead of {note['expected']}")
    sent = {n["id"]: i for i, n in enumerate(notes) if n["what"] == "send" and not n["again"]}
    acked = {note["id"] for note in notes if note["what"] == "ack"}
    order = [sent[cid] for cid in dict.fromkeys(stored) if cid in acked]
    if order != sorted(order):
        wrong.append("acknowledged commands are not in the order they were sent")
    finals = [note for note in notes if note["what"] == "final"]
    if not finals:
        wrong.append("never saw the end")
    for final in finals:
        if final["hash"] != view_hash(_as_json(again.state.view(seat))):
            wrong.append("the final view is not what the log gives")
    return wrong


def _as_json(view: dict[str, Any]) -> dict[str, Any]:
    return json.loads(json.dumps(view))
