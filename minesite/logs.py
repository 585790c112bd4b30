"""Log lines: JSON for machines, short text for a terminal; both with the id of their request."""

from __future__ import annotations

import json
import logging
import logging.config
import sys
from datetime import UTC, datetime

from django.db.utils import OperationalError
from redis.exceptions import RedisError

from games.log_context import match_id, request_id

_STANDARD = frozenset(vars(logging.makeLogRecord({}))) | {
    "message",
    "asctime",
    "taskName",
    "color_message",
}
_COLOURS = {"WARNING": "33", "ERROR": "31", "CRITICAL": "31;1"}


class Context(logging.Filter):
    """Notes on each record what it is about. A filter, so that it runs where the record is made."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.about = {
            name: value
            for name, value in (("request", request_id.get()), ("match", match_id.get()))
            if value
        }
        return True


class NotHealth(logging.Filter):
    """Drops "Service Unavailable: /healthz", which a load balancer asks for all the time."""

    def filter(self, record: logging.LogRecord) -> bool:
        path = getattr(getattr(record, "request", None), "path", "")
        return not (path == "/healthz" and getattr(record, "status_code", 0) == 503)


class OneLine(logging.Filter):
    """No traceback for a request that Django finds suspicious, or that met a database which is
    locked, away or on a full disk: there may be many, and the code is not to blame."""

    def filter(self, record: logging.LogRecord) -> bool:
        error = record.exc_info[1] if record.exc_info else None
        if isinstance(error, OperationalError):
            record.msg, record.args = f"{record.getMessage()}: {error}", ()
        if isinstance(error, OperationalError) or record.name.startswith("django.security."):
            record.exc_info = None
        return True


class NotStrangers(logging.Filter):
    """Drops what uvicorn says of bad requests: anybody can send them, and /metrics counts them."""

    def filter(self, record: logging.LogRecord) -> bool:
        return record.msg not in (
            "Invalid HTTP request received.",
            "Unsupported upgrade request.",
        )


class NotLayer(logging.Filter):
    """Drops the tracebacks of the channel layer while Redis is away: the heartbeat says that once,
    and the layer connects again by itself."""

    def filter(self, record: logging.LogRecord) -> bool:
        error = record.exc_info[1] if record.exc_info else None
        return not (
            record.name.startswith("channels_redis.") and isinstance(error, RedisError | OSError)
        )


class JsonFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            "process": record.process,
            **getattr(record, "about", {}),
        }
        extra = {
            name: value
            for name, value in vars(record).items()
            if name not in _STANDARD and name not in line and name != "about"
        }
        # Django adds the request object and such; only plain values belong in a log line.
        line |= {k: v for k, v in extra.items() if isinstance(v, str | int | float | bool)}
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


class TextFormatter(logging.Formatter):
    def __init__(self, colour: bool) -> None:
        super().__init__()
        self.colour = colour

    def format(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created).strftime("%H:%M:%S")
        level = record.levelname
        about = "".join(f" {name}={value}" for name, value in getattr(record, "about", {}).items())
        mark = "" if level == "INFO" else f"{level.lower()}: "
        if self.colour and level in _COLOURS:
            mark = f"\x1b[{_COLOURS[level]}m{mark}\x1b[0m"
        line = f"{at} {mark}{record.getMessage()}{about}"
        if record.exc_info:
            line += "\n" + self.formatException(record.exc_info)
        return line


def configure(options: dict[str, str]) -> None:
    """Django's LOGGING_CONFIG: one handler on the root, to standard error."""
    form = options["format"]
    on_terminal = sys.stderr.isatty()
    if form == "auto":
        form = "text" if on_terminal else "json"
    logging.config.dictConfig(
        {
            "version": 1,
            "disable_existing_loggers": False,
            "filters": {
                "context": {"()": Context},
                "not_health": {"()": NotHealth},
                "not_strangers": {"()": NotStrangers},
                "not_layer": {"()": NotLayer},
                "one_line": {"()": OneLine},
            },
            "formatters": {
                "json": {"()": JsonFormatter},
                "text": {"()": TextFormatter, "colour": on_terminal},
            },
            "handlers": {
                "stderr": {
                    "class": "logging.StreamHandler",
                    "formatter": form,
                    "filters": ["context", "one_line"],
                }
            },
            "root": {"handlers": ["stderr"], "level": options["level"]},
            "loggers": {
                # A 404 or 400 concerns the client; the proxy's access log has it.
                "django.request": {"level": "ERROR", "filters": ["not_health"]},
                # Anybody can send a foreign Host, as often as they like; the answer is 400.
                "django.security.DisallowedHost": {"level": "CRITICAL"},
                "uvicorn.error": {"filters": ["not_strangers"]},
                "channels_redis.pubsub": {"filters": ["not_layer"]},
                "daphne": {"level": "WARNING"},
            },
        }
    )
