"""Three processes, one match, and everything that may happen to them.

`steps` says what can happen now, `do` lets it happen, `finish` lets everybody come to rest and
checks what was promised. A world is pickled to try several futures.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise

from games.live.row import Command, Row, decode
from tests.live.model.process import ACTION, LAST_MOVE, TICK, Broken, Process
from tests.live.model.redis import Item, Redis

Step = tuple[str | int, ...]
"""An event and the process that it happens to."""

NAMES = ("A", "B", "C")
SETUP = Row(1, "maker", 0, [Command("setup")])


@dataclass(frozen=True)
class Luck:
    """The faults that may still happen."""

    commands: int = 2
    moves: int = 0
    """Clients that send their command again, to another process."""
    ticks: int = 0
    breaks: int = 0
    lost_hints: int = 0
    crashes: int = 0
    fail_overs: int = 0
    ends: int = 0
    expiries: int = 0
    """A match that is over goes from Redis."""
    dependent: bool = False
    """Every command needs the one before it, and comes when that one is known to be stored."""


@dataclass
class Client:
    """Sends one command, to one process after another until one answers."""

    cid: str
    at: str
    """The process that it is connected to."""
    needs: str = ""
    acknowledged: bool = False
    refused: str = ""

    @property
    def is_answered(self) -> bool:
        return self.acknowledged or bool(self.refused)

    def command(self) -> Command:
        return Command(ACTION, 0, self.cid, self.needs.encode())


@dataclass
class World:
    luck: Luck
    processes: int = 2
    replicas: int = 0
    """Of Redis."""
    ack_replicas: int = 0
    """The number of them that acknowledgements wait for."""
    process_class: type[Process] = Process
    now: int = 1000
    redis: Redis = field(init=False)
    alive: dict[str, Process] = field(init=False)
    clients: list[Client] = field(default_factory=list)
    late: list[Item] = field(default_factory=list)
    """Rows of broken connections that Redis hasn't carried out yet."""
    starts: int = 0

    def __post_init__(self) -> None:
        self.redis = Redis(self.replicas, Item(1, "maker", SETUP.encode()))
        self.alive = {}
        for name in NAMES[: self.processes]:
            self._start(name)
        self.calm_down()  # all have joined

    def _start(self, name: str) -> None:
        self.starts += 1
        skew = -20 * NAMES.index(name)
        self.alive[name] = self.process_class(f"{name}{self.starts}", self.ack_replicas, skew)

    @property
    def is_safe(self) -> bool:
        """Acknowledged is acknowledged. With replicas that nobody waits for, a fail-over may cost
        rows, unless the one host of the match restores them; then the copies still agree."""
        return not self.replicas or self.ack_replicas > 0 or self.processes == 1

    # -- what may happen -------------------------------------------------------------------------

    def steps(self) -> list[Step]:
        return list(self._progress()) + list(self._luck())

    def _progress(self) -> Iterator[Step]:
        for name, process in self.alive.items():
            if process.can_execute(self.redis):
                yield "execute", name
            if process.replies:
                yield "reply", name
            if process.hints:
                yield "hint", name
        for replica, copied in enumerate(self.redis.copied):
            if copied < self.redis.length():
                yield "replicate", replica
        if self.late:
            yield ("late",)

    def _luck(self) -> Iterator[Step]:
        luck = self.luck
        needed = self.clients[-1] if luck.dependent and self.clients else None
        for name, process in self.alive.items():
            if luck.commands and (needed is None or needed.acknowledged):
                yield "submit", name
            if luck.ticks:
                yield "tick", name
            if luck.ends:
                yield "end", name
            if luck.crashes:
                yield "crash", name
            if luck.breaks and (process.requests or process.replies):
                yield "break", name
                if process.rows_sent():
                    yield "break late", name
            if luck.lost_hints and process.hints:
                yield "lose hint", name
            if luck.moves:
                for number, client in enumerate(self.clients):
                    if client.at != name and not client.is_answered:
                        yield "move", name, number
        if luck.expiries and any(b"over\n" in item.value for item in self.redis.rows or []):
            yield ("expire",)
        if luck.fail_overs and self.redis.can_fail_over():
            yield ("fail over",)

    def do(self, step: Step) -> None:
        what, *whom = step
        doing: dict[str | int, Callable[..., None]] = {
            "execute": lambda name: self.alive[name].execute(self.redis),
            "reply": lambda name: self.alive[name].hear_reply(self.now),
            "hint": lambda name: self.alive[name].hear_hint(self.now),
            "replicate": self.redis.replicate,
            "late": lambda: self._arrive_late(self.late.pop(0)),
            "submit": self._submit,
            "tick": self._tick,
            "end": self._end,
            "crash": self._crash,
            "break": self._break,
            "break late": lambda name: self._break(name, late=True),
            "lose hint": self._lose_hint,
            "move": self._move,
            "fail over": self._fail_over,
            "expire": self._expire,
        }
        try:
            doing[what](*whom)
            self._after_step()
        except Broken:
            raise
        except Exception as error:  # in the runtime it would cut the connection of all matches
            raise Broken(repr(error)) from error

    def _use(self, **left: int) -> None:
        self.luck = replace(self.luck, **left)

    def _submit(self, name: str) -> None:
        self.now += 1
        self._use(commands=self.luck.commands - 1)
        needs = self.clients[-1].cid if self.luck.dependent and self.clients else ""
        client = Client(f"c{len(self.clients)}", name, needs)
        self.clients.append(client)
        self.alive[name].submit(client.command(), self.now)

    def _move(self, name: str, number: int) -> None:
        self._use(moves=self.luck.moves - 1)
        self.clients[number].at = name
        self.alive[name].submit(self.clients[number].command(), self.now)

    def _tick(self, name: str) -> None:
        self.now += 1
        self._use(ticks=self.luck.ticks - 1)
        process = self.alive[name]
        process.submit(Command(TICK, data=b"%d" % process.copy.ticks), self.now)

    def _end(self, name: str) -> None:
        self.now += 1
        self._use(ends=self.luck.ends - 1)
        self.clients.append(Client(LAST_MOVE, name))
        self.alive[name].submit(self.clients[-1].command(), self.now)

    def _crash(self, name: str) -> None:
        """kill -9; what it sent last may still arrive."""
        self._use(crashes=self.luck.crashes - 1)
        self.late += self.alive[name].rows_sent()
        self._start(name)
        self._may_miss_hints(name)

    def _break(self, name: str, late: bool = False) -> None:
        self._use(breaks=self.luck.breaks - 1)
        process = self.alive[name]
        if late:
            self.late += process.rows_sent()
        process.break_connection(self.now)
        self._may_miss_hints(name)

    def _may_miss_hints(self, name: str) -> None:
        """This process may not have published its last row: a look finds it."""
        for other, process in self.alive.items():
            if other != name:
                process.missed_hint = True

    def _arrive_late(self, item: Item) -> None:
        self.redis.xadd(item, Process.nomkstream)
        self._may_miss_hints("")

    def _lose_hint(self, name: str) -> None:
        self._use(lost_hints=self.luck.lost_hints - 1)
        process = self.alive[name]
        lost = process.hints.pop(0)
        # A hint of a later row shows the gap.
        if all(hint.number < lost.number for hint in process.hints):
            process.missed_hint = True

    def _fail_over(self) -> None:
        """Sentinel promotes the replica that has most; all connections break."""
        self._use(fail_overs=self.luck.fail_overs - 1)
        self.redis.fail_over()
        self.late.clear()
        for process in self.alive.values():
            if not self.ack_replicas:
                # A hint of a row that was lost must not come after the comparison with the new
                # primary: fail-overs take a second, hints a millisecond. Rows that a replica has
                # aren't lost, so with acknowledgements that wait hints may come at any time.
                process.hints.clear()
            process.break_connection(self.now)

    def _expire(self) -> None:
        self._use(expiries=self.luck.expiries - 1)
        self.redis.expire()

    # -- what follows ------------------------------------------------------------------------------

    def _after_step(self) -> None:
        names = {process.name: name for name, process in self.alive.items()}
        for name, process in list(self.alive.items()):
            for other, item in process.published:
                if other in names:
                    self.alive[names[other]].hints.append(item)
            process.published.clear()
            for answer in process.copy.answers:
                self._answered(answer.cid, process, answer.result.code)
            process.copy.answers.clear()
            if process.copy.has_diverged:
                self._start(name)  # its sockets are closed, and their clients come again

    def _answered(self, cid: str, process: Process, code: str) -> None:
        client = next(client for client in self.clients if client.cid == cid)
        if not code:
            client.acknowledged = True  # a promise, whether or not the client still listens
        elif self.alive.get(client.at) is process and not client.is_answered:
            client.refused = code
            if code == "illegal" and self.is_safe:
                raise Broken(f"{cid} was refused, though what it needs is stored")

    def calm_down(self) -> None:
        """No more bad luck: everything under way arrives, and clients try again."""
        for _ in range(400):
            step = next(self._progress(), None)
            if step is None:
                step = next(self._retries(), None)
            if step is None:
                return
            if step[0] == "look":
                self.alive[str(step[1])].look(self.now)
                self._after_step()
            elif step[0] == "again":
                client = self.clients[int(step[1])]
                self.alive[client.at].submit(client.command(), self.now)
                self._after_step()
            else:
                self.do(step)
        raise Broken("the processes never come to rest")

    def _retries(self) -> Iterator[Step]:
        for name, process in self.alive.items():
            if process.missed_hint:
                yield "look", name
        for number, client in enumerate(self.clients):
            if not client.is_answered and self.alive[client.at].proposer.is_idle:
                yield "again", number

    def finish(self) -> None:
        """Come to rest, then check all promises."""
        self.calm_down()
        log = self.redis.rows if self.redis.rows is not None else self.redis.archive
        if self.redis.archive and log is not self.redis.archive:
            raise Broken("a match that was gone is in Redis again")
        numbers = [item.number for item in log]
        if numbers != list(range(1, len(log) + 1)):
            raise Broken(f"the log has the rows {numbers}")
        rows = [decode(*item) for item in log]
        if any(late.time < early.time for early, late in pairwise(rows)):
            raise Broken(f"time goes back: {[row.time for row in rows]}")
        cids = [command.cid for row in rows for command in row.commands if command.cid]
        for client in self.clients:
            if not client.is_answered:
                raise Broken(f"{client.cid} was never answered")
            if not self.is_safe:
                continue
            if client.acknowledged and cids.count(client.cid) != 1:
                raise Broken(f"{client.cid} was acknowledged and is {cids.count(client.cid)} times")
            if client.refused and client.cid in cids:
                raise Broken(f"{client.cid} was refused and is in the log")
        for name, process in self.alive.items():
            if process.copy.items != log and not process.proposer.is_closed:
                mine = [item.number for item in process.copy.items]
                raise Broken(f"{name} has applied {mine} of {numbers}, or other rows")
