"""A traced command has one id from command to row to frame, in the log and in spans."""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import pytest
from django.core.exceptions import ImproperlyConfigured
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from games import tracing
from games.tracing import TRACING, trace_id
from minesite.logs import Context, JsonFormatter


@pytest.fixture
def spans() -> Iterator[InMemorySpanExporter]:
    exporter = InMemorySpanExporter()
    TRACING.configure(1000, SimpleSpanProcessor(exporter))
    yield exporter
    TRACING.configure(0)


def lines(caplog: pytest.LogCaptureFixture) -> list[dict]:
    found = []
    for record in caplog.records:
        if record.name == "games.tracing":
            Context().filter(record)
            found.append(json.loads(JsonFormatter().format(record)))
    return found


def test_steps_of_a_command_share_a_trace(spans, caplog):
    caplog.set_level(logging.INFO, "games.tracing")
    TRACING.received("m1", 0, "c1")
    TRACING.applied("m1", 0, "c1", row=7, own=True, events=2)
    TRACING.applied("m1", 0, "c1", row=7, own=False, events=2)
    said = lines(caplog)
    assert [line["message"] for line in said] == [
        "command received",
        "row appended, frames sent",
        "row read, frames sent",
    ]
    assert {(line["trace"], line["match"]) for line in said} == {(trace_id("m1", 0, "c1"), "m1")}
    assert [line.get("row") for line in said] == [None, 7, 7]
    command, apply = spans.get_finished_spans()
    assert (command.name, apply.name) == ("command", "apply")
    assert {span.context.trace_id for span in (command, apply)} == {
        int(trace_id("m1", 0, "c1"), 16)
    }
    assert command.start_time < command.end_time
    assert dict(command.attributes) == {"match": "m1", "seat": 0, "row": 7, "events": 2}


def test_a_refusal_ends_its_trace(spans, caplog):
    caplog.set_level(logging.INFO, "games.tracing")
    TRACING.received("m1", 1, "c1")
    TRACING.refused("m1", 1, "c1", "taken")
    assert lines(caplog)[-1]["code"] == "taken"
    (span,) = spans.get_finished_spans()
    assert span.attributes["code"] == "taken"


def test_all_processes_agree_on_the_sample(spans, caplog):
    caplog.set_level(logging.INFO, "games.tracing")
    ids = [f"c{number}" for number in range(2000)]
    TRACING.configure(100)
    for cid in ids:
        TRACING.received("m", 0, cid)
    here = {line["trace"] for line in lines(caplog)}
    caplog.clear()
    for cid in ids:
        TRACING.applied("m", 0, cid, row=1, own=False, events=1)
    assert {line["trace"] for line in lines(caplog)} == here
    assert 120 < len(here) < 280


def test_nothing_is_traced_by_default(settings):
    assert (settings.TRACE_PER_MILLE, settings.OTLP_ENDPOINT) == (0, "")
    assert not TRACING.is_on


def test_forgotten_commands_are_bounded(spans, monkeypatch):
    monkeypatch.setattr(tracing, "MOST_WAITING", 2)
    for number in range(4):
        TRACING.received("m", 0, f"c{number}")
    for number in range(4):
        TRACING.applied("m", 0, f"c{number}", row=1, own=True, events=0)
    took = [span.end_time - span.start_time for span in spans.get_finished_spans()]
    assert [time > 0 for time in took] == [False, False, True, True]


def test_spans_reach_a_collector():
    posted: list[tuple[str, bytes]] = []

    class Collector(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            posted.append((self.path, body))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *args: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Collector) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        tracing.start(1000, f"http://127.0.0.1:{server.server_port}/v1/traces")
        try:
            TRACING.received("m1", 0, "c1")
            TRACING.applied("m1", 0, "c1", row=7, own=True, events=2)
            TRACING.stop()
        finally:
            TRACING.configure(0)
            server.shutdown()
    ((path, body),) = posted
    assert path == "/v1/traces"
    assert bytes.fromhex(trace_id("m1", 0, "c1")) in body


def test_an_endpoint_without_the_packages_is_refused(monkeypatch):
    monkeypatch.setitem(sys.modules, "opentelemetry.exporter.otlp.proto.http.trace_exporter", None)
    with pytest.raises(ImproperlyConfigured, match=r"minesite\[tracing\]"):
        tracing.start(1, "http://localhost:4318/v1/traces")
