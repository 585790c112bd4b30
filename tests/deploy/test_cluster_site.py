"""Everything together on real servers, while parts of it are killed.

Long form: `make test-cluster`.
"""

from __future__ import annotations

import asyncio
import json
import os
import time
from itertools import pairwise
from random import Random

import pytest

from tests.deploy.cluster_site import ClusterSite, cluster_site, needs_servers
from tests.deploy.people import Person, SecureClient
from tests.running_site import wait_for

MODES = ("race", "battleship", "area-attack")
ROUNDS = int(os.environ.get("CLUSTER_ROUNDS") or 1)
"""In each of them a primary, a web process and a worker are killed."""
SEED = int(os.environ.get("SEED") or 1)
MOVES = 4
"""The number that every match makes before the next process is killed."""
ENOUGH = 120
"""Seconds for any step, on a machine with much to do."""

STORED = """
import json
from games.live.entry import unpack_log
from games.models import Match

def entries(match):
    return [[e.seat, e.cid] for e in unpack_log(bytes(match.log)) if e.kind == "action"]

found = {}
for match in Match.objects.filter(pk__in=IDS):
    seats = [seat.name for seat in match.seats.order_by("number")]
    found[match.pk] = [match.status, match.reason, seats, entries(match) if match.log else []]
print(json.dumps(found))
"""


class Pair:
    """Two people who play one mode, again and again."""

    def __init__(self, mode: str, people: list[Person]) -> None:
        self.mode, self.people = mode, people
        self.match = ""
        self.surrender = asyncio.Event()
        self.playing: asyncio.Future[list[None]] | None = None

    async def begin(self) -> None:
        found = await asyncio.gather(*(person.find_match(self.mode) for person in self.people))
        assert found[0] == found[1]
        self._play(found[0])

    async def end(self) -> None:
        """The first of them gives up, if the match isn't over yet."""
        self.surrender.set()
        assert self.playing is not None
        await self.playing

    async def play_again(self) -> None:
        following = (person.play_again(self.match) for person in self.people)
        found = await asyncio.gather(*following)
        assert found[0] == found[1] != self.match
        self._play(found[0])

    def _play(self, match: str) -> None:
        self.match, self.surrender = match, asyncio.Event()
        moods = (self.surrender, asyncio.Event())
        players = (p.play(match, mood) for p, mood in zip(self.people, moods, strict=True))
        self.playing = asyncio.gather(*players)

    def moments(self) -> list[float]:
        """The times at which the moves of this match were acknowledged."""
        return sorted(at for p in self.people for _cid, at in p.acknowledged[self.match])

    async def make_moves(self, number: int) -> None:
        """Return when so many more were acknowledged; a match that ends is followed by another."""
        done = 0
        while done < number:
            before = len(self.moments())
            if self.playing is not None and self.playing.done():
                await self.playing
                await self.play_again()
                continue
            await asyncio.sleep(0.05)
            done += len(self.moments()) - before


class Story:
    def __init__(self, here: ClusterSite) -> None:
        self.here = here
        self.lines: list[str] = []
        self._pages: list[asyncio.Task[None]] = []
        url, trusting = here.nginx.url, here.nginx.trusting
        self.pairs = [
            Pair(
                mode,
                [Person(SecureClient(url, trusting), Random(SEED + 2 * n + i)) for i in (0, 1)],
            )
            for n, mode in enumerate(MODES)
        ]
        self.people = [person for pair in self.pairs for person in pair.people]

    async def tell(self) -> None:
        for person in self.people:
            assert await person.client.become_guest()
            self._pages.append(asyncio.create_task(person.stay()))
        async with asyncio.timeout(ENOUGH):
            await asyncio.gather(*(pair.begin() for pair in self.pairs))
        for number in range(ROUNDS):
            await self._all_move()
            await self._kill_a_primary()
            await self._all_move()
            web = self.here.webs[number % len(self.here.webs)]
            web.kill()
            await self._all_move()
            await asyncio.to_thread(web.start)
            worker = self.here.workers[number % len(self.here.workers)]
            worker.kill()
            await self._all_move()
            worker.start()
        async with asyncio.timeout(ENOUGH):
            await asyncio.gather(*(pair.end() for pair in self.pairs))
            await asyncio.gather(*(pair.play_again() for pair in self.pairs))
            await self._all_move()
            await asyncio.gather(*(pair.end() for pair in self.pairs))

    async def _all_move(self) -> None:
        async with asyncio.timeout(ENOUGH):
            await asyncio.gather(*(pair.make_moves(MOVES) for pair in self.pairs))

    async def _kill_a_primary(self) -> None:
        cluster, first = self.here.cluster, self.pairs[0]
        holders = {p.match: self._holder(p.match) for p in self.pairs}
        victim = holders[first.match] or next(s for s in cluster.servers if s.is_primary)
        killed = time.monotonic()
        took = await asyncio.to_thread(cluster.fail_over, victim)
        await asyncio.gather(self._all_move(), asyncio.to_thread(cluster.heal))
        for pair in self.pairs:
            there = holders.get(pair.match)
            if there is not None:
                moments = [at for at in pair.moments() if at > killed - 5]
                pause = max((b - a for a, b in pairwise(moments)), default=0.0)
                where = "on the dead primary" if there is victim else "elsewhere"
                self.lines.append(f"{pair.mode} {where}: longest pause {pause:.1f} s")
        self.lines.append(f"a new primary after {took:.1f} s")

    def _holder(self, match: str):
        try:
            return self.here.cluster.primary_of(f"m:{{{match}}}:log")
        except StopIteration:
            return None

    async def close(self) -> None:
        playing = [pair.playing for pair in self.pairs if pair.playing is not None]
        for each in (*self._pages, *playing):
            each.cancel()
        await asyncio.gather(*self._pages, *playing, return_exceptions=True)
        await asyncio.gather(*(person.client.close() for person in self.people))


def wrong(here: ClusterSite, people: list[Person]) -> list[str]:
    """Every acknowledged move is in the archive; every match is there, with its result."""
    ids = sorted({match for person in people for match in person.played})
    code = STORED.replace("IDS", repr(ids))

    def all_stored() -> dict[str, list]:
        found = json.loads(here.site.python(code))
        return found if all(found.get(i, ["live"])[0] != "live" for i in ids) else {}

    found = wait_for(all_stored, 60, "the archive of all matches")
    said = []
    for match, (status, reason, _names, entries) in found.items():
        if status != "over":
            said.append(f"{match} is {status}: {reason}")
        for person in people:
            for cid, _at in person.acknowledged.get(match, []):
                times = sum(entry[1] == cid for entry in entries)
                if not times:
                    said.append(f"{match}: {cid} was acknowledged and is not in the log")
    return said


async def histories(people: list[Person]) -> list[list[str]]:
    return [
        [match for match in person.played if f"/match/{match}/" not in html]
        for person in people
        if (html := await person.client.text("/history/"))
    ]


@needs_servers
@pytest.mark.site
@pytest.mark.timeout(300 + 300 * ROUNDS)
def test_people_play_on_while_parts_of_the_site_are_killed(tmp_path):
    begin = time.monotonic()
    with cluster_site(tmp_path, SEED) as here:
        up = time.monotonic() - begin

        async def run() -> tuple[Story, list[list[str]], list[str]]:
            story = Story(here)
            try:
                await story.tell()
                broken = await asyncio.to_thread(wrong, here, story.people)
                return story, await histories(story.people), broken
            finally:
                await story.close()

        story, missing, broken = asyncio.run(run())
    acked = sum(len(each) for p in story.people for each in p.acknowledged.values())
    matches = {match for person in story.people for match in person.played}
    print(
        f"\n{len(matches)} matches, {acked} moves acknowledged, {len(broken)} promises broken; "
        f"up after {up:.0f} s, {time.monotonic() - begin:.0f} s in all"
    )
    print("\n".join(story.lines))
    assert broken == []
    assert missing == [[]] * len(story.people)
    assert len(matches) >= 2 * len(MODES)
    assert not [error for person in story.people for error in person.errors]
