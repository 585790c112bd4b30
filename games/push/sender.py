"""The worker's job: sends notifications to the devices of players."""

from __future__ import annotations

import asyncio
import logging
import ssl
import time
from collections.abc import Collection, Iterable
from email.utils import parseaddr
from typing import Final

import http_ece
import msgspec
from channels.db import database_sync_to_async
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from django.conf import settings
from prometheus_client import Counter
from py_vapid import Vapid02

from accounts.models import PushSubscription, User
from accounts.notifications.kinds import KINDS, texts
from accounts.push import BadSubscription, decoded, parsed
from games.push import jobs
from games.push.jobs import Job
from games.push.posting import NotPosted, post
from games.redis import key, redis

WAIT: Final = 1.0
AT_ONCE: Final = 64
"""Messages under way in one worker; more wait."""
MOST_PER_MINUTE: Final = 6
"""Notifications of one player; more are dropped."""
MOST_BYTES: Final = 2_000
"""Of a message. Push services take 4096, encryption included."""
SIGNED_SECONDS: Final = 3600
GONE: Final = (404, 410)
"""The browser has ended the subscription."""

SENT: Final = Counter(
    "minesite_push", "Notifications to devices, by kind and what became of them", ["kind", "result"]
)

logger = logging.getLogger(__name__)


async def run(stop: asyncio.Event) -> None:
    sender = Sender()
    try:
        while not stop.is_set():
            await sender.send(await jobs.take(AT_ONCE, WAIT))
    finally:
        await sender.finished()


class Sender:
    def __init__(self) -> None:
        self._tls = ssl.create_default_context()
        self._places = asyncio.Semaphore(AT_ONCE)
        self._tasks: set[asyncio.Task[None]] = set()

    async def send(self, some: Iterable[Job]) -> None:
        """Begin to send these, as soon as there is room for each."""
        wanted = [job for job in some if job.kind in KINDS and not _is_late(job)]
        if not wanted:
            return
        devices = await database_sync_to_async(_devices)({job.user for job in wanted})
        for job in wanted:
            found = devices.get(job.user, [])
            if found and not await _is_allowed(job):
                SENT.labels(job.kind, "limited").inc()
                continue
            for device in found:
                await self._places.acquire()
                task = asyncio.create_task(self._deliver(job, device))
                self._tasks.add(task)
                task.add_done_callback(self._done)

    async def finished(self) -> None:
        """Return when all is sent or given up."""
        if self._tasks:
            await asyncio.wait(self._tasks)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        self._places.release()
        if not task.cancelled() and (error := task.exception()) is not None:
            logger.error("a notification could not be sent", exc_info=error)

    async def _deliver(self, job: Job, device: PushSubscription) -> None:
        try:
            endpoint = parsed(device.endpoint)
            headers, body = message(job, device, endpoint.origin)
            status = await post(endpoint, headers, body, self._tls)
        except (NotPosted, BadSubscription) as error:
            logger.info("no notification to device %d: %s", device.pk, error)
            result = "failed"
        else:
            result = "sent" if status in range(200, 300) else "refused"
            if status in GONE:
                result = "gone"
                await database_sync_to_async(device.delete)()
            elif result == "refused":
                logger.warning("%s answers a notification with %d", endpoint.host, status)
        SENT.labels(job.kind, result).inc()


def _is_late(job: Job) -> bool:
    return time.time() - job.at > KINDS[job.kind].seconds


def _devices(users: Collection[int]) -> dict[int, list[PushSubscription]]:
    """By player."""
    found: dict[int, list[PushSubscription]] = {}
    active = PushSubscription.objects.filter(
        user__in=users, user__is_active=True, user__kind=User.Kind.REGISTERED
    )
    for device in active:
        found.setdefault(device.user_id, []).append(device)
    return found


async def _is_allowed(job: Job) -> bool:
    """Count one more notification of this player in this minute."""
    name = key(f"push:sent:{job.user}")
    async with redis().pipeline(transaction=True) as pipe:
        pipe.set(name, 0, ex=60, nx=True)
        pipe.incr(name)
        answers = await pipe.execute()
    return int(answers[1]) <= MOST_PER_MINUTE


def message(job: Job, device: PushSubscription, origin: str) -> tuple[dict[str, str], bytes]:
    """Headers and body: signed with the site's key (VAPID, RFC 8292), and encrypted so that only
    the device can read it (RFC 8291)."""
    kind = KINDS[job.kind]
    title, body = texts(kind, job.fields, device.language)
    plain = msgspec.json.encode({"title": title, "body": body, "url": job.url, "tag": job.tag})
    if len(plain) > MOST_BYTES:
        raise NotPosted("the message is too long")
    encrypted = http_ece.encrypt(
        plain,
        private_key=generate_private_key(SECP256R1()),
        dh=decoded(device.p256dh),
        auth_secret=decoded(device.auth),
    )
    headers = {
        "TTL": str(kind.seconds),
        "Urgency": "high",
        "Content-Type": "application/octet-stream",
        "Content-Encoding": "aes128gcm",
        **_signature(origin),
    }
    return headers, encrypted


def contact() -> str:
    """Whom a push service may write to: an address of a page or of a mailbox."""
    given: str = settings.CONTACT
    if given.startswith("https://"):
        return given
    mailbox = given if "@" in given and "/" not in given else settings.DEFAULT_FROM_EMAIL
    return f"mailto:{parseaddr(mailbox)[1]}"


def _signature(origin: str) -> dict[str, str]:
    claims = {
        "sub": contact(),
        "aud": origin,
        "exp": int(time.time()) + SIGNED_SECONDS,
    }
    vapid = Vapid02.from_raw(settings.PUSH_KEY.encode())
    vapid.conf = {"no-strict": True}  # its check refuses addresses of pages
    signed: dict[str, str] = vapid.sign(claims)
    return signed
