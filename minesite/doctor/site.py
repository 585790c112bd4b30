"""The running site: its processes, the address that browsers use, where matches are played."""

from __future__ import annotations

import base64
import json
import secrets
import socket
import ssl
from collections.abc import Iterator
from typing import Final
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from django.conf import settings

from games.live import ends
from games.live.heartbeat import WEB, WORKER, alive
from games.live.proposer import hosts_of
from games.live.stored_log import read_rows
from games.models import Match
from games.redis import close, redis
from games.redis.servers import Servers
from minesite.doctor.finding import Finding, good, problem, warning

PATIENCE: Final = 5.0
MATCHES: Final = 200
"""Running matches to look at, the newest."""
SPREAD: Final = 0.2
"""The share of matches in several processes above which the proxy does not route by match."""


async def processes() -> list[Finding]:
    try:
        found = await alive(redis())
    except OSError:
        return []  # the check of Redis tells why
    finally:
        await close()
    web = [process for process in found if process.kind == WEB]
    workers = [process for process in found if process.kind == WORKER]
    if not web and not workers:
        return [warning("The site is not running.", "Start it with `manage.py up`.")]
    findings: list[Finding] = []
    if not web:
        findings.append(problem("No web process is alive.", "Start `manage.py web`."))
    if not workers:
        findings.append(
            problem(
                "No worker is alive: nobody is matched, and finished matches are not stored.",
                "Start `manage.py worker`.",
            )
        )
    return findings or [good(f"{len(web)} web and {len(workers)} worker processes are alive.")]


async def stuck_ends() -> list[Finding]:
    """Matches that ended and could not be stored."""
    try:
        stuck = await ends.failed(ends.ARCHIVE)
    finally:
        await close()
    if not stuck:
        return [good("Every match that ended could be stored.")]
    names = ", ".join(f"{match_id} ({error})" for match_id, error in sorted(stuck.items())[:5])
    return [
        problem(
            f"{len(stuck)} finished matches can't be stored: {names}.",
            "Their logs stay in Redis, and the worker tries again every ten minutes; its log tells "
            "the error in full.",
        )
    ]


async def affinity() -> list[Finding]:
    """Whether the players of a match meet in one process. Correct without, but dearer."""
    running = Match.objects.filter(status=Match.Status.LIVE).order_by("-created_at")
    ids = [match_id async for match_id in running.values_list("pk", flat=True)[:MATCHES]]
    servers = Servers(settings.LIVE_REDIS_URL)
    try:
        await servers.open()
        hosts = [len(hosts_of(await read_rows(servers, match_id))) for match_id in ids]
    finally:
        await servers.close()
    hosted = [count for count in hosts if count]
    if not hosted:
        return [good("No match is running, so there is nothing to say about affinity.")]
    spread = sum(count > 1 for count in hosted)
    if spread > len(hosted) * SPREAD:
        return [
            warning(
                f"{spread} of {len(hosted)} running matches are played in several processes.",
                "Let the proxy route by the match's id, as deploy/nginx.conf does.",
            )
        ]
    return [good(f"{len(hosted) - spread} of {len(hosted)} matches are played in one process.")]


def address(url: str) -> Iterator[Finding]:
    """Checks the address of the site as a browser sees it, proxy included."""
    try:
        with urlopen(Request(f"{url}/healthz"), timeout=PATIENCE) as answer:
            health = json.load(answer)
    except HTTPError as error:
        down = error.read(10_000).decode(errors="replace")
        yield problem(f"{url}/healthz answers {error.code}: {down[:200]}", "See what is down.")
        return
    except (URLError, OSError, ValueError) as error:
        yield problem(f"{url} can't be reached: {error}.", "Look at the proxy and its log.")
        return
    yield good(f"{url} answers: {health.get('status', 'up')}.")
    name = secrets.token_hex(8)
    request = Request(f"{url}/", headers={"X-Request-ID": name})
    try:
        with urlopen(request, timeout=PATIENCE) as page:
            if page.headers.get("X-Request-ID") != name:
                yield warning(
                    "The proxy does not pass X-Request-ID on: log lines can't be matched.",
                    "Pass the header on, as deploy/nginx.conf does.",
                )
    except HTTPError as error:
        remedy = "Let the proxy send X-Forwarded-Proto, and name it in TRUSTED_PROXIES."
        yield problem(f"The front page answers {error.code}.", remedy)
        return
    yield _upgrade(url)


def _upgrade(url: str) -> Finding:
    """Whether a WebSocket can be opened."""
    parts = urlsplit(url)
    tls = parts.scheme == "https"
    where = (parts.hostname or "", parts.port or (443 if tls else 80))
    key = base64.b64encode(secrets.token_bytes(16)).decode()
    lines = (
        "GET /ws/lobby/?anonymous=1 HTTP/1.1",
        f"Host: {parts.netloc}",
        f"Origin: {parts.scheme}://{parts.netloc}",
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        f"Sec-WebSocket-Key: {key}",
    )
    try:
        with socket.create_connection(where, timeout=PATIENCE) as plain:
            connection = plain
            if tls:
                context = ssl.create_default_context()
                connection = context.wrap_socket(plain, server_hostname=where[0])
            connection.sendall("\r\n".join((*lines, "", "")).encode())
            status = connection.recv(1024).split(b"\r\n", 1)[0].decode("latin-1")
    except OSError as error:
        status = str(error)
    if " 101 " in f"{status} ":
        return good("WebSockets get through.")
    return problem(
        f"A WebSocket can't be opened: {status}.",
        "Let the proxy pass the Upgrade and Connection headers on, as deploy/nginx.conf does.",
    )
