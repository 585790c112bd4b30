"""The Battleship text protocol without IO, sentence by sentence."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.modes.battleship.text import codec
from games.modes.battleship.text.session import (
    Act,
    Again,
    Authenticate,
    Close,
    Leave,
    Play,
    Say,
    Session,
    Stage,
)  # fmt: skip

BOARD = ("11111000002222000000333000000044400000005500000000").ljust(100, "0")


def said(steps):
    return [step.text for step in steps if isinstance(step, Say)]


def at(stage: Stage) -> Session:
    """A session that got to this stage the ordinary way, in seat 0."""
    session = Session()
    if stage is Stage.START:
        return session
    session.line(b"PLAY anna")
    session.queued()
    if stage is Stage.QUEUED:
        return session
    session.matched("bert", 0)
    if stage is Stage.SETUP:
        return session
    session.event({"type": "placed", "ships": []})
    session.event({"type": "started", "t": 0})
    if stage is Stage.AGAIN:
        session.event(over([1, 2], "fleet_sunk"))
    return session


def over(ranks, reason, aborted=False, absent=()):
    outcome = {"ranks": ranks, "reason": reason, "aborted": aborted, "absent": list(absent)}
    return {"type": "over", "outcome": outcome}


@pytest.mark.parametrize("line", [b"PLAY anna", b"Play anna", b"play,anna", b"PLAY,  anna "])
def test_verbs_in_any_case_and_a_space_or_a_comma_before_the_argument(line):
    assert Session().line(line) == [Play("anna")]


@pytest.mark.parametrize("name", ["a" * 21, "\u00e4nna", "a b", "a.b", "<b>"])
def test_names_are_1_to_20_ascii_letters_digits_underscore_and_hyphen(name):
    session = Session()
    assert said(session.line(f"PLAY {name}".encode()))[0].startswith("ERRO ")
    assert session.stage is Stage.START


def test_a_board_becomes_a_fleet_index_y_times_10_plus_x():
    ships = codec.read_board(BOARD)
    assert ships[0] == {"cell": 0, "length": 5, "vertical": False}
    assert ships[4] == {"cell": 40, "length": 2, "vertical": False}
    turned = "".join(BOARD[x * 10 + y] for y in range(10) for x in range(10))
    assert codec.read_board(turned)[0] == {"cell": 0, "length": 5, "vertical": True}


@pytest.mark.parametrize(
    "board",
    ["", "1" * 100, "0" * 100, BOARD[:-1], BOARD + "0", BOARD.replace("5", "7"),
     BOARD.replace("55", "50"), BOARD[:40] + "5050" + BOARD[44:], BOARD[:45] + "6" + BOARD[46:],
     "0000000011" + "1110000000" + BOARD[20:].replace("5", "6"), BOARD.replace("4", "3")],
)  # fmt: skip
def test_a_bad_board_is_erro_and_the_state_does_not_change(board):
    session = at(Stage.SETUP)
    lines = said(session.line(b"REDY " + board.encode()))
    assert len(lines) == 1
    assert lines[0].startswith("ERRO ")
    assert said(session.line(b"REDY " + BOARD.encode())) == []


def test_redy_twice_is_erro():
    session = at(Stage.SETUP)
    assert session.line(b"REDY " + BOARD.encode()) == [
        Act({"type": "place", "ships": codec.read_board(BOARD)})
    ]
    session.event({"type": "placed", "ships": []})
    assert said(session.line(b"REDY " + BOARD.encode()))[0].startswith("ERRO ")


def test_bom1_is_the_column_then_the_row_and_res1_goes_to_both():
    session = at(Stage.LIVE)
    assert session.line(b"BOM1 37") == [Act({"type": "bomb", "cell": 73})]
    bombed = {"type": "bombed", "seat": 0, "cell": 73, "hit": True, "turn": 1}
    assert said(session.event(bombed)) == ["RES1 371", "WAIT"]
    assert said(session.event({**bombed, "seat": 1, "hit": False, "turn": 0})) == [
        "RES1 370", "TURN",
    ]  # fmt: skip


def test_both_ready_gives_turn_or_wait():
    session = at(Stage.LIVE)
    assert said(session.event({"type": "turn", "turn": 0})) == ["TURN"]
    assert said(session.event({"type": "turn", "turn": 1})) == ["WAIT"]


def test_the_last_bomb_is_followed_by_winn_or_lose():
    for ranks, word in (([1, 2], "WINN"), ([2, 1], "LOSE")):
        session = at(Stage.LIVE)
        bombed = {"type": "bombed", "seat": 0, "cell": 0, "hit": True, "turn": None}
        assert said(session.event(bombed)) == ["RES1 001"]
        assert said(session.event(over(ranks, "fleet_sunk"))) == [word]
        assert session.stage is Stage.AGAIN


@pytest.mark.parametrize("stage", [Stage.SETUP, Stage.LIVE])
def test_surr_hears_nothing_more_and_is_back_at_the_start(stage):
    session = at(stage)
    assert session.line(b"SURR") == [Act({"type": "surrender"}), Leave()]
    assert session.stage is Stage.START
    assert session.event(over([2, 1], "last_one_left")) == []


@pytest.mark.parametrize(
    ("stage", "event"),
    [(Stage.LIVE, over([1, 2], "last_one_left")),
     (Stage.SETUP, over([1, 1], "surrender", aborted=True, absent=[1]))],
)  # fmt: skip
def test_the_other_one_surrendering_or_gone_gives_winn_and_the_start(stage, event):
    session = at(stage)
    assert said(session.event(event)) == ["WINN"]
    assert session.stage is Stage.START


@pytest.mark.parametrize("stage", [Stage.SETUP, Stage.LIVE])
def test_a_lost_connection_has_no_grace(stage):
    assert at(stage).lost() == [Act({"type": "surrender"}), Leave()]


def test_a_connection_lost_after_the_result_is_a_no():
    assert at(Stage.AGAIN).lost() == [Again(False)]


def test_agan_is_answered_once_and_settled_for_both():
    session = at(Stage.AGAIN)
    assert session.line(b"AGAN,1") == [Again(True)]
    assert said(session.line(b"AGAN,0"))[0].startswith("ERRO ")
    assert said(session.settled(True)) == ["AGAN,1"]
    session.rematched(1)
    assert session.stage is Stage.SETUP
    declined = at(Stage.AGAIN)
    assert said(declined.settled(False)) == ["AGAN,0"]
    assert declined.stage is Stage.START


def test_a_player_who_is_gone_past_the_grace_is_not_waited_for():
    assert at(Stage.LIVE).event({"type": "claimable", "seat": 1}) == [Act({"type": "claim_win"})]


def test_quit_closes_and_gives_up_a_running_match():
    assert at(Stage.LIVE).line(b"quit") == [Act({"type": "surrender"}), Leave(), Close()]
    assert Session().line(b"QUIT") == [Close()]


def test_auth_comes_before_play():
    session = Session()
    assert session.line(b"AUTH secret") == [Authenticate("secret")]
    session.authenticated()
    assert session.line(b"PLAY anna") == [Play("anna")]


WRONG_TIME = {
    Stage.START: [b"REDY " + BOARD.encode(), b"BOM1 00", b"SURR", b"AGAN,1"],
    Stage.QUEUED: [b"PLAY x", b"AUTH x", b"REDY " + BOARD.encode(), b"BOM1 00", b"SURR", b"AGAN,1"],
    Stage.SETUP: [b"PLAY x", b"AUTH x", b"BOM1 00", b"AGAN,1"],
    Stage.LIVE: [b"PLAY x", b"AUTH x", b"REDY " + BOARD.encode(), b"AGAN,1"],
    Stage.AGAIN: [b"PLAY x", b"AUTH x", b"REDY " + BOARD.encode(), b"BOM1 00", b"SURR"],
}
CASES = [(stage, line) for stage, lines in WRONG_TIME.items() for line in lines]


@pytest.mark.parametrize(("stage", "line"), CASES)
def test_a_command_at_the_wrong_time_is_erro_and_changes_nothing(stage, line):
    session = at(stage)
    lines = said(session.line(line))
    assert len(lines) == 1
    assert lines[0].startswith("ERRO ")
    assert session.stage is stage


@pytest.mark.parametrize(
    "line", [b"HELO", b"PLAY", b"SURR now", b"QUIT x", b"BOM1 1", b"BOM1 123", b"BOM1 a1", b"AGAN",
             b"AGAN,2", b"PLAYanna", b"\xff\xfe", b"REDY", b"AUTH"]
)  # fmt: skip
@pytest.mark.parametrize("stage", Stage)
def test_anything_else_is_erro(stage, line):
    session = at(stage)
    lines = said(session.line(line))
    assert len(lines) == 1
    assert lines[0].startswith("ERRO ")
    assert session.stage is stage


LINES = st.one_of(
    st.binary(max_size=120),
    st.sampled_from([b"PLAY a", b"SURR", b"QUIT", b"AGAN,1", b"BOM1 11"]),
    st.just(b"REDY " + BOARD.encode()),
    st.builds(lambda v, a: v + b" " + a, st.sampled_from([b"PLAY", b"BOM1", b"REDY", b"AGAN"]),
              st.binary(max_size=110)),
)  # fmt: skip


@given(st.sampled_from(Stage), st.lists(LINES, max_size=8))
@settings(max_examples=300, deadline=None)
def test_no_line_breaks_a_session_and_an_error_changes_nothing(stage, lines):
    session = at(stage)
    for line in lines:
        before = dict(vars(session))
        steps = session.line(line)
        assert all("\n" not in text and text.isascii() for text in said(steps))
        if said(steps):
            assert vars(session) == before
        if Close() in steps:
            return


@pytest.mark.parametrize(
    ("code", "text"),
    [("bad_token", "this token is not valid for playing"),
     ("match_failed", "the match could not be made; PLAY again"),
     ("name_of_account", "this name belongs to an account: send AUTH and its API token first"),
     ("name_like_account", "this name looks like another player's; choose another one"),
     ("name_reserved", "this name is reserved; choose another one"),
     ("no_place", "there is no match of this name and key to come back to"),
     ("ticket_gone", "the queue has let you go; PLAY again"),
     ("queues_closed", "The gateway's words.")],
)  # fmt: skip
def test_denials_name_the_verbs_of_this_protocol(code, text):
    session = at(Stage.QUEUED)
    assert said(session.denied(code, "The gateway's words.")) == [f"ERRO {text}"]
    assert session.stage is Stage.START
