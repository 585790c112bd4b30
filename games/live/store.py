"""All of Redis that the live runtime uses: one server, or a cluster with a pipe to each node."""

from __future__ import annotations

import asyncio
import binascii
import logging
from collections.abc import Callable
from hashlib import sha1
from importlib import resources
from typing import Any

from games.live.ear import Ear, OnMessage
from games.live.pipe import Command, Gate, OnReply, Pipe
from games.live.resp import Address, Refused, pack

SLOTS = 16384
SCRIPTS = {
    name: resources.files("games.live").joinpath(f"lua/{name}.lua").read_text()
    for name in ("append", "create", "finish", "hosts", "beat")
}
SHA = {name: sha1(text.encode()).hexdigest() for name, text in SCRIPTS.items()}

logger = logging.getLogger(__name__)


def slot(key: str) -> int:
    """The cluster slot of a key: of its hash tag, when it has one."""
    start = key.find("{")
    if start >= 0:
        end = key.find("}", start + 1)
        if end > start + 1:
            key = key[start + 1 : end]
    return binascii.crc_hqx(key.encode(), 0) % SLOTS


class Store:
    """Give a key, get the pipe to the server that has it."""

    def __init__(self, url: str, prefix: str) -> None:
        self.prefix = prefix
        self.gate = Gate()
        self.on_back: Callable[[], None] = lambda: None
        self._address = Address.from_url(url)
        self._seed = Pipe(self._address, self.gate, SCRIPTS)
        self._pipes: dict[tuple[str, int], Pipe] = {}
        self._slots: list[Pipe] = []
        self._ears: dict[Pipe, Ear] = {}
        self._channels: dict[str, tuple[Ear, OnMessage]] = {}
        self._learning: asyncio.Task[None] | None = None
        self.publish = "PUBLISH"
        self._sharded = False

    async def open(self) -> None:
        """Return when Redis has answered; waits for it as long as it takes."""
        await self._seed.up.wait()
        facts = self._seed.facts
        if facts.get("mode") == "cluster":
            self._sharded = int(str(facts["version"]).partition(".")[0]) >= 7
            self.publish = "SPUBLISH" if self._sharded else "PUBLISH"
            await self._learn_slots()

    @property
    def is_cluster(self) -> bool:
        return bool(self._slots)

    def key(self, name: str) -> str:
        return f"{self.prefix}{name}"

    def pipe(self, key: str) -> Pipe:
        return self._slots[slot(key)] if self._slots else self._seed

    def pipe_of(self, number: int) -> Pipe:
        """The same, for who knows the slot."""
        return self._slots[number] if self._slots else self._seed

    async def call(
        self, name: str, key: str, *args: str | bytes | int, urgent: bool = False
    ) -> Any:
        """A command with its one key, which comes without the prefix."""
        full = self.key(key)
        return await self.pipe(full).call(name, full, *args, urgent=urgent)

    async def run(
        self, script: str, keys: list[str], *args: str | bytes | int, urgent: bool = False
    ) -> Any:
        """One of our scripts; the keys (of one slot) come without the prefix."""
        full = [self.key(key) for key in keys]
        return await self.pipe(full[0]).call(
            "EVALSHA", SHA[script], len(full), *full, *args, urgent=urgent
        )

    # -- channels --------------------------------------------------------------------------------

    async def listen(self, channel: str, listener: OnMessage) -> None:
        full = self.key(channel)
        ear = self._ear(full)
        self._channels[full] = ear, listener
        await ear.listen(full, listener)

    def forget(self, channel: str) -> None:
        full = self.key(channel)
        known = self._channels.pop(full, None)
        if known is not None:
            known[0].forget(full)

    def tell(self, channel: str, data: bytes) -> None:
        """Publish a hint; nobody waits for it."""
        full = self.key(channel)
        self.pipe(full).send(pack(self.publish, full, data), lambda reply: None)

    def _ear(self, channel: str) -> Ear:
        pipe = self.pipe(channel)
        ear = self._ears.get(pipe)
        if ear is None:
            ear = self._ears[pipe] = Ear(pipe.address, lambda: self.on_back(), self._sharded)
        return ear

    # -- cluster ---------------------------------------------------------------------------------

    async def _learn_slots(self) -> None:
        """Ask any node that answers who has which slot."""
        for pipe in [self._seed, *self._pipes.values()]:
            try:
                async with asyncio.timeout(2):
                    answer = await pipe.call("CLUSTER", "SLOTS", urgent=True)
            except (TimeoutError, Refused):
                continue
            slots: list[Pipe | None] = [None] * SLOTS
            for first, last, master, *_replicas in answer:
                node = self._node(master[0].decode() or self._address.host, master[1])
                slots[first : last + 1] = [node] * (last - first + 1)
            if None not in slots:
                self._slots = slots  # type: ignore[assignment]
                return
        raise Refused("CLUSTERDOWN not every slot is served")

    def _node(self, host: str, port: int) -> Pipe:
        pipe = self._pipes.get((host, port))
        if pipe is None:
            address = self._address.at(host, port)
            pipe = Pipe(address, self.gate, SCRIPTS, self._moved, self.publish)
            self._pipes[host, port] = pipe
        return pipe

    def _moved(self, command: Command, on_reply: OnReply, urgent: bool, error: str) -> None:
        """`MOVED 3999 127.0.0.1:6381`: send it there, and learn the whole map again."""
        _word, number, where = error.split(" ")[:3]
        host, _, port = where.rpartition(":")
        node = self._node(host or self._address.host, int(port))
        if error.startswith("MOVED"):
            self._slots[int(number)] = node
            self._learn_again()
        else:
            node.send(pack("ASKING"), lambda reply: None, urgent)
        node.send(command, on_reply, urgent)

    def _learn_again(self) -> None:
        if self._learning is None or self._learning.done():
            self._learning = asyncio.get_running_loop().create_task(self._relearn())

    async def _relearn(self) -> None:
        """The cluster changed: move what waits, and what is listened to, to its new place."""
        try:
            await self._learn_slots()
        except Refused as error:
            logger.warning("the cluster's map is not complete: %s", error)
            return
        serving = set(self._slots)
        for pipe in self._pipes.values():
            if pipe not in serving and not pipe.up.is_set():
                pipe.hand_over(self._slots[0])
        for channel, (ear, listener) in list(self._channels.items()):
            now = self._ear(channel)
            if now is not ear:
                ear.forget(channel)
                self._channels[channel] = now, listener
                await now.listen(channel, listener)
        self.on_back()

    # -- life ------------------------------------------------------------------------------------

    def check(self) -> None:
        """Called now and then: replace what does not answer any more."""
        for pipe in self.gate.pipes:
            pipe.check()
        if self._slots and not all(pipe.up.is_set() for pipe in set(self._slots)):
            self._learn_again()
        for ear in self._ears.values():
            ear.check()

    async def answered(self) -> None:
        """Return when everything sent so far has its reply: they come in order."""
        await asyncio.gather(*(pipe.call("PING") for pipe in self.gate.pipes))

    async def close(self) -> None:
        if self._learning is not None:
            self._learning.cancel()
        await asyncio.gather(
            *(ear.close() for ear in self._ears.values()),
            *(pipe.close() for pipe in self.gate.pipes),
        )
