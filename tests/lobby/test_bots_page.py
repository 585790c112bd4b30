"""docs/bots.md: exactly the code from the page plays a match on the running site."""

from __future__ import annotations

import re
import secrets
import subprocess
import sys
from pathlib import Path

import pytest

from tests.running_site import RunningSite

pytestmark = pytest.mark.site

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "bots.md").read_text()
EXAMPLES = dict(re.findall(r"```python ([\w-]+)\n(.*?)```", PAGE, re.DOTALL))


def start(site: RunningSite, example: str, **environment: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", EXAMPLES[example]],
        env={
            "SITE": f"127.0.0.1:{site.port}",
            "TCP": f"127.0.0.1:{site.tcp_port}",
            **environment,
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def new_bot(site: RunningSite) -> tuple[str, str]:
    name = f"bot_{secrets.token_hex(3)}"
    return name, site.manage("create_bot", name).strip()


@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_is_under_40_lines(example):
    assert len(EXAMPLES[example].splitlines()) < 40


def test_every_way_in_has_an_example():
    assert set(EXAMPLES) == {"json", "battleship", "area-attack"}


def test_the_battleship_bots_play_each_other_rated_and_labelled(site):
    bots = [new_bot(site) for _ in range(2)]
    running = [start(site, "battleship", NAME=name, TOKEN=token) for name, token in bots]
    said = [process.communicate(timeout=200) for process in running]
    assert sorted(out.strip() for out, _ in said) == ["finished LOSE", "finished WINN"], said
    kinds = site.python(  # the text protocol announces the result before the archive has stored it
        "import time\n"
        "from accounts.models import Rating\n"
        f"names = {[name for name, _ in bots]!r}\n"
        "rows = Rating.objects.filter(user__username__in=names, mode='battleship')\n"
        "deadline = time.monotonic() + 60\n"
        "while rows.count() < 2 and time.monotonic() < deadline:\n"
        "    time.sleep(0.2)\n"
        "print(sorted(rows.values_list('user__kind', 'games')))"
    )
    assert kinds.strip() == "[('bot', 1), ('bot', 1)]"


def moved_in(site: RunningSite, mode: str, name: str, move: str) -> str:
    """The seats that have made such a move in this player's match: waits until both have."""
    return site.python(
        "import time\n"
        "from games.models import Match\n"
        "from games.live.row import from_stream\n"
        "from games.redis import key, sync_redis\n"
        "deadline, moved = time.monotonic() + 110, set()\n"
        "while len(moved) < 2 and time.monotonic() < deadline:\n"
        "    time.sleep(0.2)\n"
        f"    for match in Match.objects.filter(mode={mode!r}, seats__name={name!r}):\n"
        "        log = sync_redis().xrange(key(f'm:{{{match.pk}}}:log'))\n"
        "        rows = [from_stream((identity, *e.items())) for identity, e in log]\n"
        "        entries = [command for row in rows for command in row.commands]\n"
        f"        moved |= {{e.seat for e in entries if {move.encode()!r} in e.data}}\n"
        "print(sorted(moved))"
    ).strip()


BOTH = "[0, 1]"


def test_the_json_bots_race(site):
    bots = [new_bot(site) for _ in range(2)]
    running = [start(site, "json", TOKEN=token) for _, token in bots]
    try:
        # Random reveals would take the whole ten minutes: it is enough that both play.
        assert moved_in(site, "race", bots[0][0], '"reveal"') == BOTH, site.output[-2000:]
        assert [process.poll() for process in running] == [None, None]
    finally:
        for process in running:
            process.terminate()
            process.communicate()


def test_the_area_attack_bots_meet(site):
    game = f"pond-{secrets.token_hex(3)}"
    names = [f"{name}{game}"[:20] for name in ("anna", "bert")]
    running = [
        start(site, "area-attack", NAME=name, GAME=game, START=pick)
        for name, pick in zip(names, ("2,2", "13,13"), strict=True)
    ]
    try:
        # Both may stop at random; that both have picked a start is certain.
        assert moved_in(site, "area-attack", names[0], '"pick"') == BOTH, site.output[-2000:]
    finally:
        running[1].terminate()
    # The second one has left: the first has won.
    out, err = running[0].communicate(timeout=200)
    running[1].communicate()
    assert out.startswith("finished "), err
