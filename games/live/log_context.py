"""What a log line is about: set by who handles a request or a match, read by the formatter."""

from __future__ import annotations

from contextvars import ContextVar

request_id: ContextVar[str] = ContextVar("request_id", default="")
match_id: ContextVar[str] = ContextVar("match_id", default="")
