"""The Area Attack text protocol without IO, sentence by sentence."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine.text import (
    Act,
    Choose,
    CreateRoom,
    JoinRoom,
    LeaveMatch,
    LeaveRoom,
    ListRooms,
    Say,
    TakeName,
)
from games.modes.area_attack.text import codec
from games.modes.area_attack.text.session import Session, Stage

GAME = {"size": 16, "density": ".20"}


def said(steps):
    return [step.text for step in steps if isinstance(step, Say)]


def at(stage: Stage, seat: int = 0) -> Session:
    session = Session()
    if stage is Stage.NAMING:
        return session
    session.named()
    if stage is Stage.LOBBY:
        return session
    session.joined(GAME, [], {})
    if stage is Stage.ROOM:
        return session
    session.started(seat, ["anna", "bert"])
    if stage is Stage.OVER:
        session.event(over([1, 2], "time", [30, 20]))
    return session


def over(ranks, reason, scores, aborted=False):
    outcome = {"ranks": ranks, "reason": reason, "scores": scores, "aborted": aborted, "absent": []}
    return {"type": "over", "outcome": outcome}


def test_the_server_speaks_first_and_the_client_answers_with_the_bare_name():
    session = Session()
    assert said(session.greeting()) == ["Send your name."]
    assert session.frame("anna") == [TakeName("anna")]
    assert said(session.frame("an\nna")) == ["Names cannot contain newlines."]
    assert said(session.name_taken()) == ["This name is already in use."]
    assert session.named() == []


def test_the_lobby_lists_creates_and_joins_rooms():
    session = at(Stage.LOBBY)
    assert session.frame("g") == [ListRooms()]
    assert session.frame("npond\narea attack\n40\n0.2") == [
        CreateRoom("pond", {"size": 40, "density": "0.2"})
    ]
    assert session.frame("jpond") == [JoinRoom("pond")]
    assert said(session.frame("npond\nchess\n40\n0.2")) == ["This game type is not supported."]
    assert said(session.rejected()) == ["Rejected from game"]


@pytest.mark.parametrize(
    "text", ["", "x", "gg", "j", "n", "npond\narea attack\n9\n0.2", "npond\narea attack\n40\n0.9",
             "npond\narea attack\nforty\n0.2", "npond\narea attack\n40\nnan", "3\n4", "\x00",
             "n\narea attack\n40\n0.2", "npond\narea attack\n40"]
)  # fmt: skip
def test_lobby_mistakes_get_a_line_of_plain_text(text):
    session = at(Stage.LOBBY)
    (line,) = said(session.frame(text))
    assert line
    assert "\n" not in line
    assert session.stage is Stage.LOBBY


def test_on_join_p_is_as_the_creator_wrote_it_and_one_j_per_player_already_there():
    session = at(Stage.LOBBY)
    assert said(session.joined(GAME, ["bert"], {"bert": 17})) == [
        "multiplayer minesweeper\n16\n.20", "0\n0\njbert", "1\n1\nobert",
    ]  # fmt: skip
    assert said(session.newcomer("carl")) == ["0\n0\njcarl"]


def test_the_first_pick_counts_as_pick_and_confirm():
    session = at(Stage.ROOM)
    assert session.frame("10\n9") == [Choose(9 * 16 + 10)]
    assert said(session.chosen("anna", 154, own=True)) == ["10\n9\noanna"]
    assert said(session.frame("3\n3")) == [
        "0\n0\nmWait for all players to choose a starting square."
    ]


def test_a_claim_gives_the_owner_c_and_the_others_o_cell_by_cell():
    session = at(Stage.LIVE)
    assert session.frame("1\n2") == [Act({"type": "claim", "cell": 33})]
    own = {"type": "claimed", "seat": 0, "cells": [33, 34], "numbers": [0, 2]}
    assert said(session.event(own)) == ["1\n2\nc0", "2\n2\nc2"]
    assert said(session.event({"type": "claimed", "seat": 1, "cells": [35]})) == ["3\n2\nobert"]


@pytest.mark.parametrize(
    ("code", "text"),
    [("frozen", "You are frozen."),
     ("not_adjacent", "You can only claim squares adjacent to your area."),
     ("not_started", "Wait for all players to choose a starting square.")],
)  # fmt: skip
def test_refusals_have_the_words_clients_know(code, text):
    event = {"type": "refused", "code": code, "text": "other words"}
    assert said(at(Stage.LIVE).event(event)) == [f"0\n0\nm{text}"]


def test_the_later_of_two_claims_gets_a_message_naming_the_owner():
    event = {"type": "refused", "code": "taken", "text": "Player 2 owns that cell."}
    assert said(at(Stage.LIVE).event(event)) == ["0\n0\nmbert owns that cell."]


def test_a_freeze_is_f_with_the_name_could_be_yourself():
    for seat, name in enumerate(("anna", "bert")):
        event = {"type": "struck", "seat": seat, "cell": 5, "until": 1000}
        assert said(at(Stage.LIVE).event(event)) == [f"5\n0\nf{name}"]


def test_regeneration_is_s_and_rim_numbers_are_c():
    session = at(Stage.LIVE)
    session.event({"type": "claimed", "seat": 0, "cells": [0, 5], "numbers": [1, 1]})
    session.event({"type": "claimed", "seat": 1, "cells": [1]})
    session.event({"type": "thawed", "seat": 1, "exposed": 2})
    event = {"type": "regenerated", "cell": 3, "cells": [0, 1, 2, 3], "rim": [5], "numbers": [2]}
    assert said(session.event(event)) == [
        "0\n0\nsy", "1\n0\nso", "2\n0\nsN", "5\n0\nc2",
    ]  # fmt: skip


def test_the_catch_up_tells_the_held_back_freezes_and_every_change():
    session = at(Stage.LIVE)
    session.event({"type": "claimed", "seat": 0, "cells": [0], "numbers": [1]})
    event = {
        "type": "caught_up", "cells": [0, 1, 2], "codes": [20, 11, 9],
        "strikes": [{"seat": 1, "cell": 2}], "frozen": [None, None], "stage": 1,
    }  # fmt: skip
    assert said(session.event(event)) == ["2\n0\nfbert", "0\n0\nsy", "1\n0\nobert"]


def struck(seat: int, cell: int) -> dict[str, object]:
    return {"type": "struck", "seat": seat, "cell": cell, "until": 1000}


def test_a_struck_mine_that_is_regenerated_is_gone_for_those_who_heard_of_it():
    session = at(Stage.LIVE)
    session.event(struck(1, 3))
    event = {"type": "regenerated", "cell": 3, "cells": [2, 3], "rim": [], "numbers": []}
    assert said(session.event(event)) == ["3\n0\nsN"]
    assert said(session.event({"type": "thawed", "seat": 1, "exposed": None})) == []


def test_a_struck_mine_that_is_exposed_needs_no_code_and_goes_by_regeneration_alone():
    session = at(Stage.LIVE)
    session.event(struck(1, 3))
    assert said(session.event({"type": "thawed", "seat": 1, "exposed": 3})) == []
    event = {"type": "regenerated", "cell": 4, "cells": [3, 4], "rim": [], "numbers": []}
    assert said(session.event(event)) == ["3\n0\nsN"]


def caught_up(frozen: list[object], strikes: list[object], **changes: int) -> dict[str, object]:
    return {
        "type": "caught_up", "strikes": strikes, "frozen": frozen, "stage": 1,
        "cells": [int(cell[1:]) for cell in changes], "codes": list(changes.values()),
    }  # fmt: skip


def test_the_catch_up_tells_that_the_own_mine_is_gone():
    session = at(Stage.LIVE)
    session.event(struck(0, 3))
    assert said(session.event(caught_up([None, None], []))) == ["3\n0\nsN"]
    session.event(struck(0, 4))
    assert said(session.event(caught_up([None, None], [], c4=9))) == []
    session.event(struck(0, 5))
    assert said(session.event(caught_up([None, None], [], c5=11))) == ["5\n0\nobert"]


def test_the_catch_up_tells_which_of_the_others_mines_are_gone():
    session = at(Stage.LIVE)
    session.event(struck(0, 3))
    strikes = [{"seat": 1, "cell": cell} for cell in (5, 6, 7)]
    still = [None, {"until": 9000, "cell": 7}]
    assert said(session.event(caught_up(still, strikes, c3=9, c6=9))) == [
        "5\n0\nfbert", "6\n0\nfbert", "7\n0\nfbert", "5\n0\nsN",
    ]  # fmt: skip
    assert said(session.event({"type": "thawed", "seat": 1, "exposed": None})) == ["7\n0\nsN"]


def test_stages_and_the_score_come_as_m():
    session = at(Stage.LIVE)
    assert said(session.event({"type": "stage", "stage": 2}))[0].startswith("0\n0\nmStage 2")
    assert said(session.event(over([1, 2], "time", [12, 3]))) == [
        "0\n0\nmGame over. Your score was 12"
    ]
    assert session.stage is Stage.OVER
    assert session.frame("\x00") == []
    assert session.stage is Stage.LOBBY


def test_a_player_who_was_frozen_when_a_stage_began_is_told_afterwards():
    session = at(Stage.LIVE)
    session.event({"type": "stage", "stage": 1})
    session.event(struck(0, 3))
    after = caught_up([None, None], [], c3=9)
    lines = said(session.event(after | {"stage": 3}))
    assert [line[:12] for line in lines] == ["0\n0\nmStage 2", "0\n0\nmStage 3"]
    assert said(session.event(after | {"stage": 3})) == []


def test_the_last_one_left_has_won():
    assert said(at(Stage.LIVE).event(over([1, 2], "last_one_left", [12, 3]))) == [
        "0\n0\nmYou won: everyone else has left.", "0\n0\nmGame over. Your score was 12",
    ]  # fmt: skip


def test_a_single_zero_byte_leaves():
    assert at(Stage.ROOM).frame("\x00") == [LeaveRoom()]
    assert at(Stage.LIVE).frame("\x00") == [LeaveMatch()]


@pytest.mark.parametrize("text", ["", "x", "1", "1\n2\n3", "16\n0", "-1\n0", "a\nb", "1 2"])
def test_malformed_input_gets_an_m_saying_what_is_wrong(text):
    for stage in (Stage.ROOM, Stage.LIVE):
        session = at(stage)
        (line,) = said(session.frame(text))
        assert line.startswith("0\n0\nm")
        assert session.stage is stage


@given(st.sampled_from(Stage), st.lists(st.text(max_size=40), max_size=6))
@settings(max_examples=300, deadline=None)
def test_no_frame_breaks_a_session(stage, frames):
    session = at(stage)
    for text in frames:
        for step in session.frame(text):
            if isinstance(step, CreateRoom):
                assert 0 < len(step.name) <= codec.MAX_NAME
                assert step.name.isprintable()


def test_rooms_are_games_in_the_words_of_this_protocol():
    session = at(Stage.LOBBY)
    exists, many = "This name is already in use.", "There are too many games already"
    assert said(session.not_created("room_exists", "Other words.")) == [exists]
    assert said(session.not_created("too_many_rooms", "Other words.")) == [f"{many}; join one."]
    assert said(at(Stage.ROOM).dismissed("dropped", "Other words.")) == [
        "0\n0\nmYou are no longer in this game."
    ]
    assert said(at(Stage.ROOM).dismissed("queues_closed", "Closed.")) == ["0\n0\nmClosed."]


def claimed(cells, numbers, seat=0):
    return {"type": "claimed", "seat": seat, "cells": cells, "numbers": numbers}


def test_a_claim_of_an_owned_square_is_answered_from_what_was_told():
    session = at(Stage.LIVE)
    session.event(claimed([17, 18], [0, 2]))
    session.event(claimed([40], None, seat=1) | {"numbers": [0]})
    assert session.frame("1\n1") == [Say("1\n1\nc0")]
    assert session.frame("2\n1") == [Say("2\n1\nc2")]
    assert session.frame("8\n2") == [Say("8\n2\nobert")]
    assert session.frame("3\n1") == [Act({"type": "claim", "cell": 19})]


def test_one_question_for_each_square_told_is_free():
    session = at(Stage.LIVE)
    assert not session.is_echo("1\n1")
    session.event(claimed([17], [0]))
    assert session.is_echo("1\n1")
    assert not session.is_echo("1\n1"), "once for each telling"
    session.event(claimed([17], [1]))
    assert session.is_echo("1\n1")
    assert not session.is_echo("nonsense")
    assert not at(Stage.ROOM).is_echo("1\n1")
