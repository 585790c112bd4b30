from __future__ import annotations

import json
import logging
import sys

from django.test import Client, RequestFactory

from games.log_context import match_id, request_id
from minesite.logs import Context, JsonFormatter, NotHealth, OneLine, TextFormatter


def record(level: int = logging.INFO, message: str = "hello %s", args=("you",), **extra):
    made = logging.getLogger("games.live").makeRecord(
        "games.live", level, __file__, 1, message, args, None, extra=extra
    )
    Context().filter(made)
    return made


def test_json_lines_carry_the_ids_and_plain_extras_only():
    token = match_id.set("m1"), request_id.set("r1")
    try:
        line = json.loads(JsonFormatter().format(record(seat=2, request=object())))
    finally:
        match_id.reset(token[0])
        request_id.reset(token[1])
    assert line["message"] == "hello you"
    assert line["level"] == "info"
    assert (line["match"], line["request"], line["seat"]) == ("m1", "r1", 2)
    assert line["at"].endswith("+00:00")


def test_text_lines_are_short_and_say_what_is_wrong():
    token = request_id.set("r2")
    try:
        line = TextFormatter(colour=False).format(record(logging.WARNING))
    finally:
        request_id.reset(token)
    assert line.endswith("warning: hello you request=r2")
    assert "\x1b[33m" in TextFormatter(colour=True).format(record(logging.WARNING))


def test_an_exception_stays_in_its_line():
    try:
        raise ValueError("went off")
    except ValueError:
        import sys

        made = record()
        made.exc_info = sys.exc_info()
    text = JsonFormatter().format(made)
    assert "\n" not in text
    assert "ValueError: went off" in json.loads(text)["exception"]


def test_a_503_of_healthz_is_no_line_in_the_log_and_any_other_is():
    asked = RequestFactory()
    for path, status, told in (("/healthz", 503, False), ("/healthz", 500, True), ("/", 503, True)):
        made = record(logging.ERROR, request=asked.get(path), status_code=status)
        assert NotHealth().filter(made) is told


def test_every_answer_has_a_request_id_and_a_well_formed_one_is_kept(db):
    client = Client()
    assert len(client.get("/style/")["X-Request-ID"]) == 16
    kept = client.get("/style/", headers={"X-Request-ID": "from-the-proxy-1"})
    assert kept["X-Request-ID"] == "from-the-proxy-1"
    forged = client.get("/style/", headers={"X-Request-ID": "a b\tc{}"})
    assert forged["X-Request-ID"] != "a b\tc{}"


def test_a_suspicious_request_gets_no_traceback():
    try:
        raise ValueError
    except ValueError:
        about = {"name": "django.security.TooManyFieldsSent", "exc_info": sys.exc_info()}
    suspicious = logging.makeLogRecord(about)
    assert OneLine().filter(suspicious)
    assert suspicious.exc_info is None
    ours = logging.makeLogRecord({**about, "name": "games.live"})
    OneLine().filter(ours)
    assert ours.exc_info is not None
