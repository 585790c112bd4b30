"""Follows commands through the processes: one trace id from command to log row to frame.

The id is derived from match, seat and command id, so that every process that reads a row knows it,
and nothing is added to the log. A share of all ids is traced (TRACE_PER_MILLE); whether an id is
one of them is in the id itself, so all processes agree. Each step of a traced command is a line in
the log, and with OTLP_ENDPOINT also a span that goes to an OpenTelemetry collector.
"""

from __future__ import annotations

import logging
import time
from collections import OrderedDict
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final

from django.core.exceptions import ImproperlyConfigured

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import SpanProcessor
    from opentelemetry.trace import Tracer

logger = logging.getLogger(__name__)

MOST_WAITING: Final = 10_000
"""Commands whose row is awaited. The oldest is forgotten: its match may be gone."""


def trace_id(match_id: str, seat: int | None, cid: str) -> str:
    """32 hexadecimal digits, as OpenTelemetry has them."""
    return blake2b(f"{match_id}/{seat}/{cid}".encode(), digest_size=16).hexdigest()


class Tracing:
    """This process's traces: by default none, at the cost of reading `is_on`."""

    def __init__(self) -> None:
        self.is_on = False
        self._below = 0
        self._tracer: Tracer | None = None
        self._processor: SpanProcessor | None = None
        self._received: OrderedDict[str, int] = OrderedDict()

    def configure(self, per_mille: int, processor: SpanProcessor | None = None) -> None:
        self.is_on = per_mille > 0
        self._below = per_mille * 2**32 // 1000
        self._tracer = None if processor is None else _tracer(processor)
        self._processor = processor
        self._received.clear()

    def stop(self) -> None:
        """Send the spans that still wait."""
        if self._processor is not None:
            self._processor.shutdown()

    def received(self, match_id: str, seat: int | None, cid: str) -> None:
        """A player's command has come to this process."""
        trace = trace_id(match_id, seat, cid)
        if not self._is_traced(trace):
            return
        self._received[trace] = time.time_ns()
        if len(self._received) > MOST_WAITING:
            self._received.popitem(last=False)
        self._log("command received", trace, match_id, seat)

    def refused(self, match_id: str, seat: int | None, cid: str, code: str) -> None:
        trace = trace_id(match_id, seat, cid)
        if self._is_traced(trace):
            self._log("command refused", trace, match_id, seat, code=code)
            self._span("command", trace, self._received.pop(trace, None), seat=seat, code=code)

    def applied(
        self, match_id: str, seat: int | None, cid: str, row: int, own: bool, events: int
    ) -> None:
        """The row with the command is stored, and its frames have left this process."""
        trace = trace_id(match_id, seat, cid)
        if not self._is_traced(trace):
            return
        step = "row appended, frames sent" if own else "row read, frames sent"
        self._log(step, trace, match_id, seat, row=row, events=events)
        began = self._received.pop(trace, None) if own else None
        about = {"match": match_id, "seat": seat, "row": row, "events": events}
        self._span("command" if own else "apply", trace, began, **about)

    def _is_traced(self, trace: str) -> bool:
        return int(trace[:8], 16) < self._below

    def _log(self, step: str, trace: str, match_id: str, seat: int | None, **more: object) -> None:
        logger.info(step, extra={"trace": trace, "match": match_id, "seat": seat, **more})

    def _span(self, name: str, trace: str, began: int | None, **about: Any) -> None:
        if self._tracer is None:
            return
        from opentelemetry import trace as otel

        # The same parent in every process, so that their spans are one tree.
        parent = otel.SpanContext(
            int(trace, 16), int(trace[16:], 16), is_remote=True, trace_flags=otel.TraceFlags(1)
        )
        context = otel.set_span_in_context(otel.NonRecordingSpan(parent))
        now = time.time_ns()
        span = self._tracer.start_span(name, context, attributes=about, start_time=began or now)
        span.end(now)


def _tracer(processor: SpanProcessor) -> Tracer:
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider

    provider = TracerProvider(resource=Resource.create({"service.name": "minesite"}))
    provider.add_span_processor(processor)
    return provider.get_tracer("minesite")


TRACING: Final = Tracing()


def start(per_mille: int, endpoint: str) -> None:
    """As the settings say. Raises ImproperlyConfigured when the packages are missing."""
    processor = None
    if endpoint and per_mille:
        try:
            from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
            from opentelemetry.sdk.trace.export import BatchSpanProcessor
        except ModuleNotFoundError as error:
            raise ImproperlyConfigured(
                "OTLP_ENDPOINT needs OpenTelemetry's packages: install minesite[tracing], or what "
                "pyproject.toml lists there."
            ) from error
        processor = BatchSpanProcessor(OTLPSpanExporter(endpoint))
    TRACING.configure(per_mille, processor)
