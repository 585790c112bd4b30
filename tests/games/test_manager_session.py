"""The AI manager's protocol, line by line as the rules have it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine.rng import derive
from games.lines import OVERLONG, LineSplitter
from games.manager.session import ManagerSession, Result, percent

SEED = bytes(32)


class Talk:
    """A session and what it reported."""

    def __init__(self, **options: object) -> None:
        self.results: list[Result] = []
        self.session = ManagerSession(
            lambda n: derive(SEED, f"g{n}"), self.results.append, **options
        )

    def __call__(self, line: str) -> list[str]:
        return self.session.command(line.encode())


def test_start_replies_with_a_grid_of_10_by_10_that_is_not_open():
    assert Talk()("START") == ["GRID", "---", *["#" * 10] * 10, "---"]


def test_dimensions_are_columns_then_rows():
    assert Talk()("START --dimensions 7,2")[2:-1] == ["#" * 7] * 2


def test_hidden_sign_can_be_switched():
    assert Talk(hidden="*")("START --dimensions 2,1") == ["GRID", "---", "**", "---"]


def test_rate_0_opens_everything_and_ends_with_100_percent():
    talk = Talk()
    talk("START --dimensions 3,2 --mines-spawning-rate 0")
    assert talk("PICK 2,1") == ["GRID", "---", "   ", "   ", "---", "END 100%"]
    assert talk.results == [Result(True, 100.0, "cleared")]


def test_rate_1_is_lost_at_once_and_shows_the_mine_that_was_hit():
    talk = Talk()
    talk("START --mines-spawning-rate 1 --dimensions 2,2")
    assert talk("PICK 1,0") == ["GRID", "---", "#X", "##", "---", "END 0%"]


def test_safe_first_protects_the_first_reveal_only_with_the_option():
    talk = Talk(safe_first=True)
    talk("START --mines-spawning-rate 1 --dimensions 2,2")
    assert talk("PICK 1,0")[-1] == "END 100%"


def test_numbers_and_share_of_safe_cells():
    talk = Talk()
    talk("START --dimensions 8,8 --mines-spawning-rate 0.3")
    field = talk.session.board.field
    mine = min(field.mines)
    number = next(c for c in range(64) if c not in field.mines and field.numbers[c])
    rows = talk(f"PICK {number % 8},{number // 8}")[2:10]
    assert rows[number // 8][number % 8] == str(field.numbers[number])
    safe = 64 - len(field.mines)
    assert talk(f"PICK {mine % 8},{mine // 8}")[-1] == f"END {percent(100 / safe, False)}%"


@pytest.mark.parametrize(
    ("value", "won", "text"),
    [(37.5, False, "37.5"), (100.0, True, "100"), (100 / 3, False, "33.33"), (0.0, False, "0"),
     (99.999, False, "99.99"), (50.0, False, "50")],
)  # fmt: skip
def test_end_has_at_most_two_decimals_and_no_trailing_zeros(value, won, text):
    assert percent(value, won) == text


@pytest.mark.parametrize(
    "line", ["HELP", "GRID", "END 100%", "PICKUP 1,1", "STARTING", "---", "\u00e9"]
)
def test_a_command_that_does_not_exist_is_unkwown(line):
    assert Talk()(line)[0].startswith("UNKWOWN ")


@pytest.mark.parametrize(
    "line",
    ["PICK", "PICK 1", "PICK 1,2,3", "PICK a,b", "PICK 1;2", "PICK 10,0", "PICK 0,10", "PICK -1,0",
     "PICK 0,0", "PICK 99999999999999999999,0", "START --dimensions", "START --dimensions 0,5",
     "START --dimensions 1001,5", "START --dimensions 5", "START --mines-spawning-rate 1.1",
     "START --mines-spawning-rate -0.1", "START --mines-spawning-rate nan", "START --size 3,3",
     "START 10,10", "START --mines-spawning-rate inf"],
)  # fmt: skip
def test_a_command_that_cannot_be_carried_out_is_an_error_and_the_game_goes_on(line):
    talk = Talk()
    talk("START --mines-spawning-rate 0.5")
    field = talk.session.board.field
    cell = next(c for c in range(1, 100) if c not in field.mines and field.numbers[c])
    if line == "PICK 0,0":
        line = f"PICK {cell % 10},{cell // 10}"
        talk(line)  # open already, the second time
    before = talk.session.board.cells()
    answer = talk(line)
    assert len(answer) == 1
    assert answer[0].startswith("ERROR ")
    assert talk.session.board.cells() == before
    assert talk.session.playing


def test_pick_before_start_and_after_end_are_errors():
    talk = Talk()
    assert talk("PICK 0,0")[0].startswith("ERROR")
    talk("START --mines-spawning-rate 0")
    talk("PICK 0,0")
    assert talk("PICK 1,1")[0].startswith("ERROR")
    assert talk("START")[0] == "GRID"


def test_start_during_a_game_begins_anew_and_the_old_one_is_not_counted():
    talk = Talk()
    talk("START")
    talk("START --mines-spawning-rate 0")
    talk("PICK 0,0")
    assert len(talk.results) == 1


def test_commands_in_any_case():
    talk = Talk()
    assert talk("start --dimensions 2,2")[0] == "GRID"
    assert talk("pick 0,0")[0] == "GRID"


def test_grids_up_to_1000_by_1000():
    talk = Talk()
    grid = talk("START --dimensions 1000,1000 --mines-spawning-rate 0.2")
    assert len(grid) == 1003
    assert len(talk("PICK 500,500")[2]) == 1000


@given(st.binary(max_size=200))
@settings(max_examples=400, deadline=None)
def test_no_line_breaks_the_session(data):
    talk = Talk()
    talk("START --dimensions 4,4")
    answer = talk.session.command(data)
    assert answer[0].split(" ")[0] in ("GRID", "ERROR", "UNKWOWN")
    assert all(line.isascii() for line in answer)


@given(st.lists(st.binary(max_size=30)), st.integers(1, 7))
def test_cr_lf_and_crlf_all_end_a_line_however_the_bytes_arrive(parts, step):
    data = b"\r\n".join(parts)
    splitter = LineSplitter(1000)
    got = [line for i in range(0, len(data), step) for line in splitter.feed(data[i : i + step])]
    got += splitter.close()
    assert got == [p for p in data.replace(b"\r", b"\n").split(b"\n") if p]


@given(st.lists(st.binary(max_size=9)), st.integers(1, 7), st.sampled_from([b"\n", b"\r\n"]))
def test_asked_for_blank_lines_come_too_and_crlf_ends_one_line(parts, step, end):
    parts = [part.replace(b"\r", b"").replace(b"\n", b"") for part in parts]
    data = b"".join(part + end for part in parts)
    splitter = LineSplitter(1000, blank=True)
    got = [line for i in range(0, len(data), step) for line in splitter.feed(data[i : i + step])]
    assert got == parts


def test_a_line_over_the_limit_is_reported_once_and_skipped_to_its_end():
    splitter = LineSplitter(10)
    assert splitter.feed(b"x" * 11) == [OVERLONG]
    assert splitter.feed(b"x" * 1000) == []
    assert splitter.feed(b"xx\nshort\n" + b"y" * 11 + b"\nnext\n") == [
        b"short", OVERLONG, b"next",
    ]  # fmt: skip
    assert splitter.close() == []
