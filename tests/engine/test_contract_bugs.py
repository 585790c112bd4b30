"""The suite finds a planted bug of every kind, and says in a clear sentence what is wrong."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest

from games.contract.board_format import board_problems
from games.contract.failure import Broken, difference
from games.contract.matches import check_matches
from games.contract.subject import Subject, offered_by, subject_of
from games.contract.suite import Result, run
from games.engine.errors import IllegalAction
from games.engine.game import ALL, ONLY, Addressed, Event, Setup, View, Viewer
from games.engine.options import Flag, Preset
from tests.modes.bridge.mode import MODE as BRIDGE

from .pebbles import SECONDS, YARD, Move, Options, PebbleRules, State, pebbles

HERE = __name__.rpartition(".")[0]


class Contract:
    """The contents of pebbles' contract.py."""

    @staticmethod
    def options(random: Random) -> dict[str, Any]:
        return {"seconds": random.randint(1, 600)}

    @staticmethod
    def act(random: Random, state: Any, seat: int) -> dict[str, Any]:
        return {"type": random.choice(["dig", "mark"]), "cell": random.randrange(-1, YARD + 1)}

    @staticmethod
    def perturb(random: Random, state: Any, viewer: Viewer) -> bool:
        """Pebbles lie where nobody has dug yet."""
        for seat, dug in enumerate(state.game.dug):
            others = [c for c in range(YARD) if c not in (*dug, state.game.pebbles[seat])]
            if state.game.pebbles[seat] in dug or not others:
                return False
            state.game.pebbles[seat] = random.choice(others)
        return True

    @staticmethod
    def quiet(random: Random, state: Any, viewer: Viewer) -> list[dict[str, Any]]:
        """Marks tell nothing."""
        mark = {"type": "mark", "cell": random.randrange(YARD)}
        return [{"k": "action", "s": random.randrange(2), "d": mark}]


OFFER = {"type": "place", "label": "Place", "target": "cell"}


def offering(**changes: str) -> Callable[[View, Viewer], object]:
    """Offers an action with these changes to every player."""

    def change(view: View, viewer: Viewer) -> None:
        view["actions"] = [] if viewer is None else [{**OFFER, **changes}]

    return change


def tried(rules: Any, offer: Any = Contract, **changes: Any) -> list[Result]:
    subject = offered_by(offer, pebbles(rules, **changes), HERE)
    return list(run(subject, matches=60, pairs=60))


def test_a_good_mode_passes() -> None:
    results = tried(PebbleRules())
    assert [result.broken for result in results] == [None] * len(results)
    lines = {result.rule: result.text for result in results}
    assert lines["replays equal the match"] == "60 logs replayed"
    assert lines["random play"].startswith("60 matches, ")
    assert "never" not in lines["random play"]
    assert lines["secrets stay secret"].endswith(" pairs of states")


@pytest.mark.parametrize("name", ["claim", "bridge"])
def test_a_mode_without_hidden_information_needs_no_perturb(name: str) -> None:
    subject = subject_of("claim") if name == "claim" else offered_by(None, BRIDGE, "tests.modes")
    last = list(run(subject, matches=0, pairs=30))[-1]
    assert last.broken is None
    assert last.text.endswith(" positions are the same for everybody")


# -- a bug per property -----------------------------------------------------------------------


class LeakingView(PebbleRules):
    def view(self, state: State, viewer: Viewer) -> View:
        return {**super().view(state, viewer), "column": state.pebbles[0] % 3}


class LeakingEvent(PebbleRules):
    def apply_action(self, state: State, seat: int, action: Move, t: int) -> list[Addressed]:
        out = super().apply_action(state, seat, action, t)
        if action.type == "mark":
            out[0].event["warm"] = abs(action.cell - state.pebbles[seat]) < 3
        return out


class LeakingRefusal(PebbleRules):
    def check_action(self, state: State, seat: int, action: Move, t: int, live: bool) -> None:
        super().check_action(state, seat, action, t, live)
        if action.type == "mark" and action.cell == state.pebbles[seat]:
            raise IllegalAction("again", "You were there before.")


class ForgetfulFold(PebbleRules):
    def fold(self, view: View, event: Event) -> None:
        if event["type"] == "dug":
            super().fold(view, event)


class LossyDump(PebbleRules):
    def dump(self, state: State) -> Any:
        return [*super().dump(state)[:3], [[], []], state.time_up]


class BrokenLoad(PebbleRules):
    def load(self, raw: Any, setup: Setup) -> State:
        return State(raw["pebbles"], 0)


class ChangingCheck(PebbleRules):
    def check_action(self, state: State, seat: int, action: Move, t: int, live: bool) -> None:
        super().check_action(state, seat, action, t, live)
        state.ends -= 1


class ChangingRefusal(PebbleRules):
    """A refused player loses time."""

    def check_action(self, state: State, seat: int, action: Move, t: int, live: bool) -> None:
        try:
            super().check_action(state, seat, action, t, live)
        except IllegalAction:
            state.ends -= 1
            raise


class WaveringCheck(PebbleRules):
    calls = count()

    def check_action(self, state: State, seat: int, action: Move, t: int, live: bool) -> None:
        super().check_action(state, seat, action, t, live)
        if next(self.calls) % 2:
            raise IllegalAction("again", "You were there before.")


class Chance(PebbleRules):
    """Something that is not in the log decides."""

    dice = count()

    def apply_action(self, state: State, seat: int, action: Move, t: int) -> list[Addressed]:
        changed = Move(action.type, (action.cell + next(self.dice)) % 9)
        return super().apply_action(state, seat, changed, t)


class SharedView(PebbleRules):
    def view(self, state: State, viewer: Viewer) -> View:
        return {**super().view(state, viewer), "dug": state.dug}


class TupleView(PebbleRules):
    def view(self, state: State, viewer: Viewer) -> View:
        return {**super().view(state, viewer), "size": (3, 3)}


class UnknownEvent(PebbleRules):
    def begin(self, state: State, t: int) -> list[Addressed]:
        return [*super().begin(state, t), Addressed(ALL, {"type": "gong"})]

    def fold(self, view: View, event: Event) -> None:
        if event["type"] != "gong":
            super().fold(view, event)


class UnknownCode(PebbleRules):
    spec = replace(PebbleRules.spec, codes={})

    def check_action(self, state: State, seat: int, action: Move, t: int, live: bool) -> None:
        if action.cell in self.places(state, action.type)[seat]:
            raise IllegalAction("again", "You were there before.")
        super().check_action(state, seat, action, t, live)


class WrongAudience(PebbleRules):
    """A private event for the wrong seat."""

    def apply_action(self, state: State, seat: int, action: Move, t: int) -> list[Addressed]:
        out = super().apply_action(state, seat, action, t)
        return [Addressed(ONLY[1 - seat], e.event) if len(e.to) == 1 else e for e in out]


class StuckTimer(PebbleRules):
    def advance(self, state: State, t: int) -> list[Addressed]:
        return []


class BackwardTimer(PebbleRules):
    """Its next timer is always a little earlier."""

    def advance(self, state: State, t: int) -> list[Addressed]:
        state.ends -= 1
        return []


class TrustingAction(PebbleRules):
    def parse_action(self, raw: Any) -> Move:
        return Move(raw["type"], raw["cell"])


class TrustingOptions(PebbleRules):
    def parse_options(self, raw: Any) -> Options:
        return Options(int(raw.get("seconds", 60)))


class ForgetfulOptions(PebbleRules):
    def parse_options(self, raw: object) -> Options:
        seconds = super().parse_options(raw).seconds
        return Options(seconds if seconds in (1, 60, 600) else seconds - 1)


BUGS: list[tuple[type[PebbleRules], str, str]] = [
    (LeakingView, "secrets stay secret", "depends on what it may not know"),
    (LeakingEvent, "secrets stay secret", "receives depends on what it may not know"),
    (LeakingRefusal, "secrets stay secret", "receives depends on what it may not know"),
    (ForgetfulFold, "folds equal views", "Events of this entry: marked."),
    (LossyDump, "snapshots carry on", "continued from dump() and load()"),
    (BrokenLoad, "random play", "BadDump"),
    (ChangingCheck, "looking changes nothing", "check_action() changed the state"),
    (ChangingRefusal, "looking changes nothing", "check_action() changed the state"),
    (WaveringCheck, "refusals change nothing", "check() allows this action, and apply()"),
    (Chance, "replays equal the match", "replayed from its log"),
    (SharedView, "looking changes nothing", "contains a part of the state itself"),
    (TupleView, "views are plain JSON", "Use lists instead of tuples"),
    (UnknownEvent, "events and codes are declared", "the event gong is not in spec.events"),
    (UnknownCode, "events and codes are declared", "the code again is not in spec.codes"),
    (WrongAudience, "folds equal views", "is not what view() shows"),
    (StuckTimer, "random play", "a timer did not fire"),
    (BackwardTimer, "random play", "a timer did not fire"),
    (TrustingAction, "hostile input is refused", "instead of BadAction"),
    (TrustingOptions, "hostile input is refused", "instead of BadOptions"),
    (ForgetfulOptions, "options survive the log", "differ"),
]


@pytest.mark.parametrize(
    ("rules", "rule", "sentence"), BUGS, ids=[bug.__name__ for bug, _, _ in BUGS]
)
def test_a_planted_bug_is_found(rules: type[PebbleRules], rule: str, sentence: str) -> None:
    last = tried(rules())[-1]
    assert last.broken is not None
    assert last.rule == rule
    assert sentence in last.text
    if rule not in ("options survive the log", "hostile input is refused"):
        assert last.broken.seed is not None


def test_a_failure_repeats_with_its_seed() -> None:
    subject = offered_by(Contract, pebbles(LeakingView()), HERE)
    first = list(run(subject, matches=0, pairs=50))[-1].broken
    assert first is not None
    assert first.seed is not None
    again = list(run(subject, matches=0, pairs=1, seed=first.seed))[-1].broken
    assert again is not None
    assert str(again) == str(first)
    assert "at: game.column" in first.lines()


def test_only_the_stage_that_failed_is_repeated() -> None:
    for rules, only in ((LeakingView, "--matches 0 --pairs 1"), (Chance, "--matches 1 --pairs 0")):
        last = tried(rules())[-1]
        assert last.broken is not None
        assert last.repeat == f"--seed {last.broken.seed} {only}"


def test_a_few_matches_may_have_no_legal_action() -> None:
    """Else the command that repeats a failure would often fail with this instead."""

    class Lost(Contract):
        @staticmethod
        def act(random: Any, state: Any, seat: int) -> dict[str, Any]:
            return {"type": "dig", "cell": 99}

    subject = offered_by(Lost, pebbles(PebbleRules()), HERE)
    assert all(result.broken is None for result in run(subject, matches=1, pairs=0))
    assert list(run(subject, matches=20, pairs=0))[-1].broken is not None


# -- what contract.py leaves out ----------------------------------------------------------------


def test_without_contract_a_mode_is_played_at_random() -> None:
    *others, last = tried(PebbleRules(), None)
    assert all(result.broken is None for result in others)
    assert last.rule == "secrets stay secret"


def test_secrets_without_perturb_are_not_called_checked() -> None:
    last = tried(PebbleRules(), None)[-1]
    assert last.broken is not None
    assert last.text == "not checked: add perturb() to contract.py."


class Denying(PebbleRules):
    """Marks are private, but the spec says that nothing is."""

    spec = replace(PebbleRules.spec, hidden=False)


class DenyingTruth(Denying):
    """Nobody sees where the pebbles are before the end."""

    def view(self, state: State, viewer: Viewer) -> View:
        return super().view(state, 0)

    def apply_action(self, state: State, seat: int, action: Move, t: int) -> list[Addressed]:
        out = super().apply_action(state, seat, action, t)
        return out if action.type == "dig" else [Addressed(ALL, out[0].event)] * (seat == 0)


@pytest.mark.parametrize(
    ("rules", "sentence"),
    [
        (Denying, "doesn't see what a spectator sees"),
        (DenyingTruth, "the truth after the end shows what nobody sees before"),
    ],
)
def test_hidden_information_is_not_denied(rules: type[PebbleRules], sentence: str) -> None:
    last = tried(rules())[-1]
    assert last.rule == "secrets stay secret"
    assert sentence in last.text


def test_perturb_must_change_something() -> None:
    class Idle(Contract):
        @staticmethod
        def perturb(random: Any, state: Any, viewer: Viewer) -> bool:
            return True

    last = tried(PebbleRules(), Idle)[-1]
    assert last.text == "perturb() returned True and changed nothing."


def test_play_that_gets_nowhere_is_a_failure() -> None:
    class Lost(Contract):
        @staticmethod
        def act(random: Any, state: Any, seat: int) -> dict[str, Any]:
            return {"type": "dig", "cell": 99}

    last = tried(PebbleRules(), Lost)[-1]
    assert last.broken is not None
    assert "Add act() to contract.py" in last.text


# -- the declaration ----------------------------------------------------------------------------

WRONG = [
    ({"title": " "}, "MODE.title is empty."),
    ({"blurb": "Dig"}, "MODE.blurb is not a sentence"),
    ({"in_short": ("Dig",)}, "MODE.in_short is not a sentence"),
    ({"options": (SECONDS, SECONDS)}, "has seconds twice"),
    ({"options": (replace(SECONDS, default=61),)}, "is 61 in MODE.options and 60 in"),
    ({"options": (replace(SECONDS, label=""),)}, "has no label"),
    ({"options": (replace(SECONDS, high=9),)}, "not in its range"),
    ({"options": (SECONDS, Flag("fog", True, label="Fog"))}, "returns nothing named fog"),
    ({"options": (replace(SECONDS, choices=((0, "none"),)),)}, "refuses seconds = 0"),
    ({"presets": (Preset("Fast!", "Fast", {}),)}, "needs a name of its own"),
    ({"presets": (Preset("fast", "Fast", {"seconds": 0}),)}, "refuses the preset fast"),
    ({"parts": frozenset({"match"})}, "there is no static/modes/pebbles/match.js"),
    ({"bot": lambda character, random: object()}, "must have a method decide"),
    ({"bot": lambda character: object()}, "MODE.bot(character, random) raised TypeError"),
]


@pytest.mark.parametrize(("changes", "sentence"), WRONG, ids=[text for _, text in WRONG])
def test_a_bad_declaration_is_found(changes: dict[str, Any], sentence: str) -> None:
    [result] = tried(PebbleRules(), **changes)
    assert result.rule == "the declaration is complete"
    assert sentence in result.text


def test_a_missing_method_is_named() -> None:
    class Bare:
        spec = PebbleRules.spec
        parse_options = PebbleRules.parse_options

    [result] = tried(Bare())
    assert "The rules lack" in result.text
    assert "apply_action" in result.text


def test_a_name_that_is_taken_is_refused() -> None:
    class Named(PebbleRules):
        spec = replace(PebbleRules.spec, name="race")

    [result] = tried(Named(), name="race")
    assert "games.modes.race has the name race already." in result.text


def test_rules_that_read_the_clock_are_named(tmp_path: Path, monkeypatch: Any) -> None:
    source = "import time\nfrom tests.engine.pebbles import PebbleRules\n"
    (tmp_path / "clocked.py").write_text(source + "class Rules(PebbleRules): ...\n")
    monkeypatch.syspath_prepend(tmp_path)
    import clocked

    [result] = tried(clocked.Rules())
    sys.modules.pop("clocked")
    assert "clocked.py imports time." in result.text


def test_modules_that_rules_import_are_looked_at_too(tmp_path: Path, monkeypatch: Any) -> None:
    files = {
        "__init__": "",
        "rules": "from . import steps\nfrom tests.engine.pebbles import PebbleRules\n"
        "class Rules(PebbleRules): ...\n",
        "steps": "from .deep.chance import roll\n",
        "deep/__init__": "",
        "deep/chance": "import math\nfrom ..watch import now\ndef roll(): ...\n",
        "watch": "from time import monotonic as now\n",
        "bot": "import random\n",
    }
    for name, source in files.items():
        path = tmp_path / "helped" / f"{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source)
    monkeypatch.syspath_prepend(tmp_path)
    rules = import_module("helped.rules").Rules()
    try:
        subject = offered_by(Contract, pebbles(rules), "helped")
        [result] = run(subject, matches=1, pairs=0)
    finally:
        for name in [name for name in sys.modules if name.split(".")[0] == "helped"]:
            del sys.modules[name]
    assert result.text.startswith("watch.py imports time.monotonic. Rules take the time")
    assert result.text.count(" imports ") == 1, "the bot may use chance"


# -- the common board format --------------------------------------------------------------------


def bridge_with(change: Callable[[View, Viewer], object]) -> Subject:
    """Bridge, with this change to every view of its games."""

    class Changed(type(BRIDGE.rules)):
        def view(self, state: Any, viewer: Viewer) -> View:
            view: View = super().view(state, viewer)
            change(view, viewer)
            return view

    return offered_by(None, replace(BRIDGE, rules=Changed()), "tests.modes")


def test_boards_of_the_common_format_pass() -> None:
    results = list(run(bridge_with(lambda view, viewer: None), matches=3, pairs=0))
    assert all(result.broken is None for result in results)
    lines = {result.rule: result.text for result in results}
    assert lines["boards have the common format"].endswith(" boards")
    assert "boards have the common format" not in [each.rule for each in tried(PebbleRules())]


BAD_BOARDS: list[tuple[Callable[[View, Viewer], object], str]] = [
    (lambda view, viewer: view["board"].update(grid="round"), "not one of square, hex"),
    (lambda view, viewer: view["board"].update(width=0), "there can be 1 to 2500"),
    (lambda view, viewer: view["board"].update(width=3000), "there can be 1 to 2500"),
    (lambda view, viewer: view["board"]["cells"].append("plain"), "board.cells must be a list of"),
    (lambda view, viewer: view["board"].update(texts=None), "board.texts must be a list of"),
    (lambda view, viewer: view["board"]["cells"].__setitem__(0, "sea"), "isn't a known face"),
    (lambda view, viewer: view["board"]["owners"].__setitem__(1, 2), "isn't a seat or None"),
    (lambda view, viewer: view["board"]["owners"].__setitem__(1, True), "isn't a seat or None"),
    (lambda view, viewer: view["board"]["texts"].__setitem__(2, "abc"), "at most 2 characters"),
    (lambda view, viewer: view.update(turn=2), "turn is 2, which isn't a seat or None"),
    (lambda view, viewer: view.update(clock=9), "clock is 9"),
    (lambda view, viewer: view.update(scores=["1"]), "a text for each of 2 seats"),
    (lambda view, viewer: view.update(scores=[1, 2]), "a text for each of 2 seats"),
    (lambda view, viewer: view.update(note=1), "note is 1"),
    (lambda view, viewer: view.update(actions={}), "actions is {}"),
    (
        lambda view, viewer: view.update(actions=[dict(OFFER)]),
        "in the view of a spectator, actions aren't empty",
    ),
    (offering(type="jump"), "whose type isn't in spec.actions"),
    (offering(label=""), "the action place has no label"),
    (offering(cells=[10**6]), "the cells of the action place must be numbers of cells"),
    (offering(target="edge"), "must be one of cell, none"),
]


@pytest.mark.parametrize(("change", "sentence"), BAD_BOARDS, ids=[text for _, text in BAD_BOARDS])
def test_a_bad_board_is_found(change: Callable[[View, Viewer], object], sentence: str) -> None:
    with pytest.raises(Broken) as caught:
        check_matches(bridge_with(change), range(3))
    assert caught.value.rule == "boards have the common format"
    assert sentence in caught.value.text


def test_a_view_without_a_board_is_found() -> None:
    view: View = {"you": 0, "seats": [{}, {}], "truth": None, "game": {}}
    assert list(board_problems(view, ())) == ["there is no board."]
    view["game"] = {"board": [], "turn": 0, "clock": None, "scores": [], "note": "", "actions": []}
    assert list(board_problems(view, ())) == ["board is [], which isn't a board."]


def test_the_board_that_is_revealed_is_checked_too() -> None:
    class Revealing(type(BRIDGE.rules)):
        def truth(self, state: Any) -> View:
            return {"board": {**self.view(state, None)["board"], "grid": "round"}}

    subject = offered_by(None, replace(BRIDGE, rules=Revealing()), "tests.modes")
    with pytest.raises(Broken, match=r"truth\.board\.grid is 'round'"):
        check_matches(subject, range(30))


def test_the_place_of_a_difference_is_told() -> None:
    one, two = {"a": [1, {"b": 2}]}, {"a": [1, {"b": 3}]}
    assert difference(one, two) == ("a[1].b", 2, 3)
    assert difference([1], [1, 2]) == ("[1]", "(nothing)", 2)


def test_subjects_are_what_contract_offers() -> None:
    class Offer:
        WEIGHT = 3

    subject = offered_by(Offer, pebbles(PebbleRules()), HERE)
    assert isinstance(subject, Subject)
    assert subject.weight == 3
