"""The request and match that a log line is about; the formatter adds them to the line."""

from __future__ import annotations

from contextvars import ContextVar

request_id: ContextVar[str] = ContextVar("request_id", default="")
match_id: ContextVar[str] = ContextVar("match_id", default="")
