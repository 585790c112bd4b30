"""`manage.py up`: the whole site on one machine."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import fcntl
import os
import shutil
import signal
import socket
import sys
import time
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import IO, Any

from django.conf import settings
from django.core.management import call_command
from django.db import DatabaseError, connection
from prometheus_client.multiprocess import mark_process_dead
from redis.asyncio import Redis
from redis.exceptions import BusyLoadingError, RedisError

from minesite import private_redis, site_redis
from minesite.disk_watch import DiskWatch
from minesite.obituary import strike_off
from minesite.static_files import NotOurs, collect_if_changed
from minesite.supervisor import Child, python
from minesite.unix_sockets import make_folder, memory_folder

MANAGE = str(Path(settings.BASE_DIR) / "manage.py")
READY_WITHIN = 60.0
LEAVE_WITHIN = 20.0
"""A web process that is replaced sends its sockets elsewhere first, and finishes its answers."""
END_WITHIN = 6.0
REDIS_ENDS_WITHIN = 3.0
"""Together with the seconds above less than ten: nobody waits longer for the end of all."""
REDIS_WITHIN = 60.0


class CannotStart(Exception):
    """The site can't start; the text tells the person at the terminal why, in one sentence."""


def take_data_dir() -> IO[str]:
    """One `up` per DATA_DIR. The lock ends with the process, however it ends."""
    os.umask(0o077)  # of all processes that it starts, too: what they write is nobody else's
    try:
        lock = (settings.DATA_DIR / "up.lock").open("w")
        (settings.DATA_DIR / "log").mkdir(exist_ok=True)
    except OSError as error:
        raise CannotStart(
            f"DATA_DIR {settings.DATA_DIR} can't be written: {error.strerror}."
        ) from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        lock.close()
        raise CannotStart(
            f"Another minesite already runs on {settings.DATA_DIR}; "
            "set DATA_DIR, PORT and TCP_PORT to run a second one."
        ) from error
    return lock


def listen(host: str, port: int, variable: str) -> socket.socket:
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family, backlog=4096)
    except OSError as error:
        if isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
            raise CannotStart(
                f"HOST {host} is no address of this machine. Choose another one with HOST."
            ) from error
        raise CannotStart(
            f"Port {port} on {host} can't be used: {os.strerror(error.errno or 0)}. "
            f"Choose another one with {variable}."
        ) from error


class Site:
    def __init__(self, listener: socket.socket) -> None:
        self.listener = listener
        self.stopping = asyncio.Event()
        self.children: list[Child] = []
        self.redis: Child | None = None
        self._rolling: asyncio.Task[None] | None = None
        self._watching: asyncio.Task[None] | None = None
        # In memory: these files are mapped, and a process that touches one on a full disk dies.
        self.metrics_dir = memory_folder(settings.DATA_DIR) / "metrics"
        folder = settings.DATA_DIR / "redis" if settings.PRIVATE_REDIS else None
        database = (
            str(settings.DATABASES["default"]["NAME"]) if connection.vendor == "sqlite" else ""
        )
        self.disk = DiskWatch(settings.DATA_DIR, settings.REDIS_URL, folder, say, database)

    def child(self, name: str, command: list[str], *, fds: tuple[int, ...] = ()) -> Child:
        return Child(
            name,
            command,
            settings.DATA_DIR / "log",
            pass_fds=fds,
            environment={
                "LOG_FORMAT": self.log_format(),
                "PROMETHEUS_MULTIPROC_DIR": str(self.metrics_dir),
                "PYTHONUNBUFFERED": "1",
            },
            on_death=self.bury,
        )

    async def bury(self, pid: int) -> None:
        mark_process_dead(pid, str(self.metrics_dir))  # type: ignore[no-untyped-call]  # no types
        if self.redis is None or self.redis.running:
            await strike_off(pid)

    @staticmethod
    def log_format() -> str:
        """The children write into pipes; what they should sound like is decided by our terminal."""
        if settings.LOG_FORMAT != "auto":
            return settings.LOG_FORMAT
        return "text" if sys.stdout.isatty() else "json"

    async def run(self) -> None:
        """Until SIGINT or SIGTERM. Raises CannotStart; leaves no process in any case.

        SIGHUP means that the terminal is gone, if there was one; else it asks for new processes."""
        loop = asyncio.get_running_loop()
        for name in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(name, self.stopping.set)
        on_hangup = self.stopping.set if sys.stdin.isatty() else self.roll
        loop.add_signal_handler(signal.SIGHUP, on_hangup)
        begin = time.monotonic()
        shutil.rmtree(self.metrics_dir, ignore_errors=True)
        make_folder(self.metrics_dir)
        self.metrics_dir.mkdir()
        try:
            if settings.PRIVATE_REDIS:
                await self.start_redis()
            await self.wait_for_redis()
            if await asyncio.to_thread(site_redis.is_cluster):
                raise CannotStart(site_redis.CLUSTER)
            if self.redis:
                await strike_off()  # the process that used it before
            await asyncio.to_thread(prepare)
            if not self.stopping.is_set():
                self.start_processes()
                self._watching = asyncio.create_task(self.disk.run())
                if await self.wait_until_ready():
                    say(
                        f"\nminesite is ready: http://{address()}/ "
                        f"({time.monotonic() - begin:.1f} s). Ctrl-C stops it.\n"
                    )
                elif not self.stopping.is_set():
                    say("minesite is not ready yet; /healthz tells what is missing")
            await self.stopping.wait()
            say("\nminesite stops")
        finally:
            await self.stop()

    async def start_redis(self) -> None:
        try:
            binary = private_redis.find_binary()
            folder = settings.DATA_DIR / "redis"
            path = Path(settings.REDIS_URL.removeprefix("unix://"))
            private_redis.refuse_newer_files(binary, folder)
            private_redis.make_folders(folder, path)
            self.redis = self.child("redis", private_redis.command(binary, folder, path))
            self.redis.quiet = private_redis.CHATTER
            self.redis.may_start = self.disk.has_room_to_start
            await self.redis.start_once()
        except private_redis.NoRedis as error:
            raise CannotStart(str(error)) from error
        except OSError as error:
            raise CannotStart(f"Redis can't start: {error}.") from error

    async def wait_for_redis(self) -> None:
        client = Redis.from_url(settings.REDIS_URL, socket_connect_timeout=5, retry=None)
        deadline = time.monotonic() + (REDIS_WITHIN if self.redis else 5)
        try:
            while not self.stopping.is_set():
                try:
                    await client.ping()
                    return
                except (RedisError, OSError) as error:
                    loading = isinstance(error, BusyLoadingError)
                    if self.redis and not self.redis.running:
                        reason = private_redis.message(self.redis.last_line)
                        raise CannotStart(f"Redis can't start: {reason}") from error
                    if not loading and time.monotonic() > deadline:
                        raise CannotStart(f"Redis does not answer: {error}") from error
                await asyncio.sleep(0.02)
        finally:
            await client.aclose()

    def start_processes(self) -> None:
        fd = self.listener.fileno()
        many = settings.WEB_PROCESSES > 1
        for number in range(1, settings.WEB_PROCESSES + 1):
            name = f"web-{number}" if many else "web"
            command = python(MANAGE, "web", "--fd", str(fd))
            command += ["--number", str(number)] if many else []
            child = self.child(name, command, fds=(fd,))
            child.tells_ready = True
            self.children.append(child)
        self.children.append(self.child("worker", python(MANAGE, "worker")))
        for child in self.children:
            child.start()

    def roll(self) -> None:
        """Begin a rolling restart, unless one is under way."""
        if self.children and (self._rolling is None or self._rolling.done()):
            self._rolling = asyncio.create_task(self._roll())

    async def _roll(self) -> None:
        """New processes for old ones: web by web, each once its successor takes connections, then
        the worker. Whatever goes wrong, the old ones stay."""
        begin = time.monotonic()
        preparing = await asyncio.create_subprocess_exec(*python(MANAGE, "prepare"))
        if await preparing.wait() != 0:
            say("The new release can't be prepared; nothing is restarted.")
            return
        for child in self.children:
            if child.tells_ready:
                if not await child.replace(READY_WITHIN, LEAVE_WITHIN):
                    say(f"The new {child.name} did not start; the old one goes on.")
                    return
            elif child.process is not None and child.running:
                with contextlib.suppress(ProcessLookupError):
                    child.process.terminate()  # it is started again by itself
        say(f"All processes are new ({time.monotonic() - begin:.1f} s).")

    async def wait_until_ready(self) -> bool:
        """True once /healthz is 200; False when that takes too long, or when we are to stop."""
        deadline = time.monotonic() + READY_WITHIN
        while not self.stopping.is_set() and time.monotonic() < deadline:
            if await asyncio.to_thread(healthy):
                return True
            await asyncio.sleep(0.05)
        return False

    async def stop(self) -> None:
        """The web and the worker first: they still need Redis to end well."""
        if self._watching is not None:
            self._watching.cancel()
        if self._rolling is not None:
            self._rolling.cancel()
            await asyncio.gather(self._rolling, return_exceptions=True)
        await asyncio.gather(*(child.stop(END_WITHIN, signal.SIGINT) for child in self.children))
        if self.redis:
            await self.redis.stop(REDIS_ENDS_WITHIN)
        self.listener.close()
        shutil.rmtree(self.metrics_dir, ignore_errors=True)
        with contextlib.suppress(OSError):  # sockets may be in it, too
            self.metrics_dir.parent.rmdir()


def say(text: str) -> None:
    with contextlib.suppress(OSError):  # a terminal that was closed must not keep us from stopping
        print(text, flush=True)


def address() -> str:
    host = settings.HOST
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 - reads, binds nothing
    host = f"[{host}]" if ":" in host else host
    return f"{host}:{settings.PORT}"


def healthy() -> bool:
    allowed = next((h.lstrip(".") for h in settings.ALLOWED_HOSTS if h != "*"), "localhost")
    http = HTTPConnection(address(), timeout=5)
    try:
        http.request("GET", "/healthz", headers={"Host": allowed})
        return http.getresponse().status == 200
    except (OSError, HTTPException):
        return False
    finally:
        http.close()


def knock_at_database() -> None:
    """Raises at once when nobody answers; the pool would go on trying, and say so many times."""
    if connection.vendor == "postgresql":
        parameters = {**connection.get_connection_params(), "connect_timeout": 5}
        _driver().connect(**parameters).close()


def _driver() -> Any:
    """The module that talks to the database."""
    return connection.Database  # type: ignore[attr-defined]  # each backend has its own


def prepare() -> None:
    """Bring the database and the static files up to date, for this user's eyes only."""
    os.umask(0o077)
    try:
        knock_at_database()
        call_command("migrate", verbosity=0, interactive=False)
    except (DatabaseError, _driver().Error) as error:
        first_line = str(error).strip().splitlines()[0]
        raise CannotStart(f"The database can't be used: {first_line}") from error
    finally:
        connection.close()
    if not settings.DEBUG:
        try:
            collect_if_changed()
        except (NotOurs, OSError) as error:
            raise CannotStart(f"Static files can't be collected: {error}") from error


def run() -> None:
    lock = take_data_dir()
    listener = listen(settings.HOST, settings.PORT, "PORT")
    listen(settings.HOST, settings.TCP_PORT, "TCP_PORT").close()
    try:
        with lock:
            asyncio.run(Site(listener).run())
    except OSError as error:
        if error.filename is None:
            raise
        # Something in DATA_DIR that belongs to somebody else, a disk that is full.
        raise CannotStart(f"{error.filename} can't be written: {error.strerror}.") from error
