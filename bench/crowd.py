"""Thousands of lobby sockets in a process of their own: `python -m bench.crowd PORT`.

The benchmarks use `Crowd`, which starts it and asks it line by line, so that what the sockets cost
here isn't added to what a player beside them sees.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections import Counter
from typing import Any

from bench.load.wire import Socket, open_socket

OPENING_AT_ONCE = 20
LINE = 2**24


class Sockets:
    """The sockets that the process has open."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._open: list[Socket] = []
        self._heard: dict[Socket, bytes] = {}
        self._errors: Counter[str] = Counter()
        self._marker = b""
        self._all_heard = asyncio.Event()

    async def open(self, keys: list[str]) -> None:
        gate = asyncio.Semaphore(OPENING_AT_ONCE)

        async def one(key: str) -> None:
            async with gate:
                headers = {
                    "Cookie": f"sessionid={key}", "Origin": f"http://127.0.0.1:{self._port}",
                }  # fmt: skip
                url = f"ws://127.0.0.1:{self._port}/ws/lobby/"
                socket = await open_socket(url, headers=headers)
                await socket.expect(b'"hello"')
                socket.listen(lambda data: self._hear(socket, data))
                self._open.append(socket)

        await asyncio.gather(*(one(key) for key in keys))

    def _hear(self, socket: Socket, data: bytes) -> None:
        if data.startswith(b'{"type":"error"'):
            self._errors[json.loads(data)["code"]] += 1
        elif data.startswith(b'{"type":"unqueued"'):
            self._errors[f"unqueued: {json.loads(data)['reason']}"] += 1
        if self._marker and self._marker in data:
            self._heard[socket] = data
            if len(self._heard) == len(self._open):
                self._all_heard.set()

    async def expect(self, marker: str) -> None:
        """From now on, look for this in what each socket hears."""
        self._marker = marker.encode()
        self._heard.clear()
        self._all_heard.clear()

    async def say(self, message: str) -> None:
        for number, socket in enumerate(self._open):
            socket.send(message.encode())
            if number % 50 == 49:
                await asyncio.sleep(0)

    async def heard(self, seconds: float) -> dict[str, Any]:
        """Wait until every socket has heard it."""
        begin = time.perf_counter()
        try:
            async with asyncio.timeout(seconds):
                await self._all_heard.wait()
        except TimeoutError:
            pass
        values = [data.decode() for data in self._heard.values()]
        return {
            "after": time.perf_counter() - begin,
            "number": len(values),
            "values": values,
            "errors": self._errors,
        }

    async def close(self, number: int) -> None:
        for _ in range(number):
            self._open.pop().close()


class Crowd:
    """The process, from the outside."""

    def __init__(self, port: int) -> None:
        self._port = port

    async def __aenter__(self) -> Crowd:
        self._process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "bench.crowd", str(self._port)),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=LINE,
        )
        return self

    async def __aexit__(self, *error: object) -> None:
        if self._process.returncode is None:
            self._process.kill()
        await self._process.wait()

    async def ask(self, name: str, *given: Any) -> Any:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps([name, *given]).encode() + b"\n")
        answer = await self._process.stdout.readline()
        if not answer:
            raise SystemExit("the crowd has left")
        return json.loads(answer)

    async def open(self, keys: list[str]) -> None:
        await self.ask("open", keys)


async def main(port: int) -> None:
    sockets = Sockets(port)
    reader = asyncio.StreamReader(limit=LINE)
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while line := await reader.readline():
        name, *given = json.loads(line)
        print(json.dumps(await getattr(sockets, name)(*given)), flush=True)


if __name__ == "__main__":
    import uvloop

    uvloop.run(main(int(sys.argv[1])))
