"""docs/modes.md is enough to write a game: its code, installed with EXTRA_MODES, is played."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field, fields
from pathlib import Path
from types import FunctionType
from typing import Any
from urllib.request import Request, urlopen

import pytest
from babel.messages import Catalog
from babel.messages.mofile import write_mo
from websockets.sync.client import ClientConnection, connect

from games import daily
from games.contract import checks, declaration, hostile, matches, options, secrecy
from games.engine.boardgame import FACES, Board, BoardRules, candidates, fold_board
from games.engine.folding import EVENTS, fold
from games.engine.game import Rules, Spec
from games.engine.mode import PARTS, Mode
from games.engine.options import Flag, Number, Preset, Whole, Word
from games.management.commands.check_mode import Command
from tests.running_site import ROOT, RunningSite, new_site, wait_for

PAGE = (ROOT / "docs" / "modes.md").read_text()
FILE = re.compile(
    r"^`(?P<path>[\w/]+\.py)`:\n\n```python\n(?P<code>.*?)^```$", re.DOTALL | re.MULTILINE
)
LINES = 150
RULES = (
    *(declaration.DECLARED, options.SURVIVE, hostile.HOSTILE, matches.PLAY, checks.PLAIN),
    *(
        checks.FORMAT,
        checks.FOLDS,
        checks.REFUSALS,
        checks.READING,
        checks.VOCABULARY,
        matches.REPLAYS,
    ),
    *(matches.SNAPSHOTS, secrecy.SECRECY),
)
RUFF = (sys.executable, "-m", "ruff", "check", "--no-cache", "--config", "pyproject.toml")
PATIENCE = 30

pytestmark = [pytest.mark.site, pytest.mark.timeout(180)]


def code_of_the_page() -> dict[str, str]:
    """The files that the page tells its reader to write, by path."""
    return {found["path"]: found["code"] for found in FILE.finditer(PAGE)}


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the page's package and a skeleton beside it."""
    folder = tmp_path_factory.mktemp("packages")
    for path, code in code_of_the_page().items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(code)
        (target.parent / "__init__.py").touch()
    translate(folder / "tripwire", "django", {"Board size": "Brettgröße"})
    translate(folder / "tripwire", "djangojs", {"Lay a wire": "Draht legen"})
    manage(folder, "startmode", "treasure-hunt", str(folder))
    return folder


def translate(package: Path, domain: str, texts: dict[str, str]) -> None:
    """The file that `compilemessages` would write."""
    catalog = Catalog(locale="de", domain=domain)
    for text, german in texts.items():
        catalog.add(text, german)
    path = package / "locale" / "de" / "LC_MESSAGES" / f"{domain}.mo"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as out:
        write_mo(out, catalog)


def manage(folder: Path, *arguments: str) -> str:
    site = new_site(folder / "var", PYTHONPATH=str(folder))
    return site.manage(*arguments)


@pytest.fixture(scope="module")
def site(packages: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningSite]:
    running = new_site(
        tmp_path_factory.mktemp("site") / "var",
        PYTHONPATH=str(packages),
        EXTRA_MODES="tripwire,treasure_hunt",
    )
    try:
        running.start()
        yield running
    finally:
        running.stop()


# -- the page ---------------------------------------------------------------------------------


def test_the_game_is_complete_and_short() -> None:
    code = code_of_the_page()
    assert set(code) == {
        f"tripwire/{name}.py" for name in ("rules", "bot", "mode", "contract", "tests/test_rules")
    }
    assert PAGE.count("```python") == len(code), "every block of Python is a file of the game"
    assert sum(len(text.splitlines()) for text in code.values()) <= LINES


def test_the_page_is_wrapped() -> None:
    assert [line for line in PAGE.splitlines() if len(line) > 100] == []


def test_the_page_explains_everything_that_a_mode_can_have() -> None:
    names = [each.name for kind in (Mode, Spec) for each in fields(kind)]
    names += [*PARTS, "WEIGHT"]
    missing = [name for name in names if f"`{name}`" not in PAGE]
    assert missing == []
    for option in (Whole, Number, Flag, Word, Preset):
        assert f"`{option.__name__}(name, " in PAGE.replace("\n", " ")
    for offer in ("options", "act", "perturb", "quiet", "deal"):
        assert f"`{offer}(random" in PAGE
    for method in (*methods(Rules), *methods(BoardRules), *methods(Board)):
        assert re.search(rf"`(Board\.)?{method}\(", PAGE), method
    for face in FACES:
        assert f"`{face}`" in PAGE, face
    for rule in RULES:
        assert f"| {rule} |" in PAGE, rule


def test_the_page_promises_what_the_command_does() -> None:
    defaults = re.findall(r"`--(\w+) N` \((\d+)\)", PAGE)
    parser = Command().create_parser("manage.py", "check_mode")
    assert dict(defaults) == {name: str(parser.get_default(name)) for name in ("matches", "pairs")}
    assert f"makes {parser.get_default('pairs')} pairs" in PAGE


def test_the_page_says_what_options_mean_to_the_site() -> None:
    assert "(text-protocols.md)" in PAGE
    assert all(f"`{name}`" in PAGE for name in daily.board().options)
    assert all(f"`{name}`" in PAGE for name in ("won", "aided", "time_ms"))
    table = (ROOT / "docs" / "board-format.md").read_text()
    assert re.search(r"\| `turn` \|.*public", table)


def test_the_code_is_well_formed(packages: Path) -> None:
    done = subprocess.run(
        [*RUFF, str(packages / "tripwire")],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("package", ["tripwire", "treasure_hunt"])
def test_the_game_keeps_its_contract(packages: Path, package: str) -> None:
    report = manage(packages, "check_mode", package, "--matches", "60", "--pairs", "40")
    assert "13 properties hold." in report
    assert "never" not in report, "random play reaches every action and event"


def methods(kind: type) -> list[str]:
    """The public names of a class, without those that make a view."""
    functions = (FunctionType, classmethod)
    names = [name for name, value in vars(kind).items() if isinstance(value, functions)]
    return [name for name in names if name[0] != "_" and not name.startswith("as_")]


# -- the site ---------------------------------------------------------------------------------


@dataclass
class Client:
    """Somebody who is signed in, on pages and sockets."""

    site: RunningSite
    name: str
    cookie: str
    stack: ExitStack
    lobby: ClientConnection = field(init=False)

    def __post_init__(self) -> None:
        self.lobby = self.socket("/ws/lobby/")

    def socket(self, path: str) -> ClientConnection:
        address = f"ws://127.0.0.1:{self.site.port}{path}"
        headers = {"Cookie": f"sessionid={self.cookie}"}
        return self.stack.enter_context(connect(address, additional_headers=headers))

    def page(self, path: str, language: str = "en") -> str:
        headers = {"Cookie": f"sessionid={self.cookie}", "Accept-Language": language}
        request = Request(self.site.url + path, headers=headers)
        with urlopen(request, timeout=PATIENCE) as answer:
            return answer.read().decode()

    def say(self, **message: Any) -> None:
        self.lobby.send(json.dumps(message))

    def hear(self, kind: str) -> dict[str, Any]:
        """The next message of this type from the lobby."""
        while True:
            message = json.loads(self.lobby.recv(PATIENCE))
            assert message["type"] != "error", message
            if message["type"] == kind:
                return message


class Seat:
    """One player's socket of a match, with the view that its events make."""

    def __init__(self, client: Client, match: str) -> None:
        self.name = client.name
        self.socket = client.socket(f"/ws/match/{match}/")
        self.sent = 0
        self.view: dict[str, Any] = {}
        self.socket.send(json.dumps({"type": "hello", "version": 1, "last": None}))
        while not self.view:
            self.listen()

    @property
    def over(self) -> bool:
        return self.view["phase"] == "over"

    def listen(self, seconds: float = PATIENCE) -> None:
        for message in json.loads(self.socket.recv(seconds)):
            assert message["type"] not in ("error", "refused"), message
            if message["type"] == "view":
                self.view = message["view"]
            elif message["type"] == "event":
                self.fold(message["event"])

    def fold(self, event: dict[str, Any]) -> None:
        assert event["type"] != "refused", event
        if event["type"] in EVENTS:
            fold(self.view, event["type"], event)
        else:
            fold_board(self.view["game"], event)

    def act(self, action: dict[str, Any]) -> None:
        self.sent += 1
        command = {"type": "act", "id": f"c-{self.sent}", "action": action}
        before = json.dumps(self.view)
        self.socket.send(json.dumps(command))
        while json.dumps(self.view) == before:
            self.listen()

    def options(self) -> list[dict[str, Any]]:
        """The actions that the view offers on closed cells; those on an own wire last."""
        offered, cells = candidates(self.view["game"]), self.view["game"]["board"]["cells"]
        closed = [a for a in offered if cells[a["cell"]] == "hidden"]
        return closed or [a for a in offered if cells[a["cell"]] == "flag"]

    def hears(self) -> bool:
        """Read what has come; always true."""
        with suppress(TimeoutError):
            while not self.over:
                self.listen(0.02)
        return True


def play(seats: list[Seat]) -> dict[str, Any]:
    """Everybody does the first thing that is possible, until the end; the outcome."""
    deadline = time.monotonic() + PATIENCE
    while not all(seat.over for seat in seats):
        assert time.monotonic() < deadline, "the match does not end"
        for seat in seats:
            seat.hears()
            if not seat.over and seat.options():
                seat.act(seat.options()[0])
    return seats[0].view["outcome"]


@contextmanager
def clients(site: RunningSite, *names: str) -> Iterator[list[Client]]:
    keys = site.python(
        "from accounts.models import User\n"
        "from django.test import Client\n"
        f"for name in {names!r}:\n"
        "    client = Client()\n"
        "    user = User.objects.filter(username=name).first() or User.objects.create_user(name)\n"
        "    client.force_login(user)\n"
        "    print(client.session.session_key)\n"
    ).split()
    with ExitStack() as stack:
        yield [Client(site, name, key, stack) for name, key in zip(names, keys, strict=True)]


def rating_changes(site: RunningSite, match: str) -> dict[str, float]:
    """The change of each player's rating by this match."""
    found = site.python(
        "import json\n"
        "from accounts.models import RatingChange\n"
        f"rows = RatingChange.objects.filter(match_id={match!r}).select_related('user')\n"
        "print(json.dumps({row.user.username: row.after - row.before for row in rows}))"
    )
    changes: dict[str, float] = json.loads(found)
    return changes


def status_of(site: RunningSite, match: str) -> str:
    return site.python(
        f"from games.models import Match\nprint(Match.objects.get(pk={match!r}).status)"
    ).strip()


def queued(players: list[Client], mode: str, **wish: Any) -> tuple[str, list[Seat]]:
    """Both wait in the queue and are paired; their match, the seats in order."""
    for player in players:
        player.say(type="queue", wishes=[{"mode": mode, **wish}])
    matched = [player.hear("matched") for player in players]
    return seated(players, matched)


def seated(players: list[Client], matched: list[dict[str, Any]]) -> tuple[str, list[Seat]]:
    [match] = {message["match"] for message in matched}
    order = sorted(zip(matched, players, strict=True), key=lambda pair: pair[0]["seat"])
    return match, ready(*(Seat(player, match) for _, player in order))


def ready(*seats: Seat) -> list[Seat]:
    """Everybody is ready, where that is asked for, and the match has begun."""
    for seat in seats:
        if seat.view["phase"] == "setup":
            seat.act({"type": "ready"})
    for seat in seats:
        while seat.view["phase"] == "setup":
            seat.listen()
    return list(seats)


def again(players: list[Client], match: str) -> tuple[str, list[Seat]]:
    for player in players:
        player.say(type="again", match=match, yes=True)
    return seated(players, [player.hear("matched") for player in players])


def test_the_lobby_offers_it_with_its_options(site: RunningSite) -> None:
    with clients(site, "Ada") as [ada]:
        front = ada.page("/")
        assert "Tripwire" in front
        assert "/play/tripwire/" in front
        form = ada.page("/play/tripwire/")
        for text in ("Hide your wires, then take the most cells.", "Board size", "Wires each"):
            assert text in form
        size = re.search(r'<input[^>]*name="option-size"[^>]*>', form)
        assert size is not None
        assert all(part in size[0] for part in ('min="3"', 'max="10"', 'value="5"'))
        assert "Large" in form
        german = ada.page("/play/tripwire/", "de")
        assert "Brettgröße" in german
        catalogue = re.search(r'data-catalogue="([^"]+)"', german)
        assert catalogue is not None
        assert json.loads(ada.page(catalogue[1]))["texts"]["Lay a wire"] == "Draht legen"
        assert "Whoever has more cells on a full board wins." in ada.page("/learn/tripwire/")
        ada.say(type="invite", mode="tripwire", options={"size": 4})
        invitation = ada.hear("invitation")
        with clients(site, "Bob") as [bob]:
            assert "Board size: 4 cells" in bob.page(invitation["url"])
        ada.say(type="invite_leave", token=invitation["token"])


def test_two_players_play_it_for_their_rating_and_again(site: RunningSite) -> None:
    with clients(site, "Ada", "Bob") as players:
        match, seats = queued(players, "tripwire", rated=True)
        assert [seat.view["game"]["board"]["width"] for seat in seats] == [5, 5]
        clock = seats[0].view["game"]["clock"]
        assert clock["ends"] > 20_000, "it starts when both are ready"
        outcome = play(seats)
        assert outcome["reason"] == "full"
        assert not outcome["aborted"]
        changes = wait_for(lambda: rating_changes(site, match), what="the new ratings")
        assert outcome["scores"] == [12, 11], "both tripped over a wire"
        assert changes[seats[0].name] > 0 > changes[seats[1].name]

        second, seats = again(players, match)
        assert second != match
        seats[0].act({"type": "surrender"})
        assert play(seats)["ranks"] == [2, 1]
        wait_for(lambda: status_of(site, second) == "over", what="the end of the second match")
        assert rating_changes(site, second) == {}, "given up before anybody really played"

        for player in players:
            history = player.page("/history/")
            assert "Tripwire" in history
            assert f"/match/{match}/" in history
            assert f"/match/{second}/" in history
        assert "Tripwire" in players[0].page("/leaderboard/tripwire/")
        assert "Tripwire" in players[0].page("/@Ada/")
        page = players[0].page(f"/match/{match}/")
        assert "Replay" in page
        assert "board full" in page
        replay = json.loads(players[0].page(f"/match/{match}/replay.json"))
        assert replay["mode"] == "tripwire"
        assert "is as its log says" in site.manage("verify_match", match)


def test_a_house_bot_plays_it(site: RunningSite) -> None:
    with clients(site, "Cleo") as [cleo]:
        cleo.say(type="queue", wishes=[{"mode": "tripwire"}], bot=True)
        [seat] = ready(Seat(cleo, cleo.hear("matched")["match"]))
        for _ in range(2):
            seat.act(seat.options()[0])
        wait_for(lambda: seat.hears() and seat.view["game"]["turn"] is not None, PATIENCE)
        wait_for(lambda: seat.hears() and bool(seat.options()), PATIENCE)
        seat.act({"type": "surrender"})


def test_the_skeleton_is_played_too(site: RunningSite) -> None:
    with clients(site, "Dora", "Emil") as players:
        match, seats = queued(players, "treasure-hunt", preset="small")
        assert seats[0].view["game"]["board"]["width"] == 5
        assert play(seats)["reason"] == "found"
        _, seats = again(players, match)
        seats[1].act({"type": "surrender"})
        assert play(seats)["reason"] == "last_one_left"
        wait_for(lambda: f"/match/{match}/" in players[0].page("/history/"), what="the history")
        replay = json.loads(players[0].page(f"/match/{match}/replay.json"))
        assert replay["mode"] == "treasure-hunt"
