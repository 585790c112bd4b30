"""The WebSocket protocol itself, case by case as in the Autobahn suite, with handmade frames."""

from __future__ import annotations

import struct
from collections.abc import Iterator

import pytest

from tests.live.lane_raw import (
    BINARY,
    CLOSE,
    CONTINUATION,
    PING,
    PONG,
    TEXT,
    RawClient,
    close_frame,
    frame,
)
from tests.live.lane_servers import Server, serving

LIMIT = 100_000


@pytest.fixture(scope="module", params=["lane", "lane-asyncio"])
def server(request: pytest.FixtureRequest) -> Iterator[Server]:
    with serving(request.param, ws_max_size=LIMIT) as server:
        yield server


@pytest.fixture(params=["echo", "wide"], ids=["asgi", "attached"])
def client(server: Server, request: pytest.FixtureRequest) -> Iterator[RawClient]:
    with RawClient(server.address, f"/{request.param}") as client:
        yield client


def fails(client: RawClient, code: int, *frames: bytes) -> None:
    """The frames end the connection with that code; our answer makes the server hang up."""
    client.send(*frames)
    assert client.read_close() == code
    client.send(close_frame(code))
    assert client.is_cut()


def still_works(client: RawClient) -> None:
    client.send(frame(TEXT, b"still here"))
    assert client.read() == (TEXT, b"still here")


# ---------------------------------------------------------------- 1: framing


@pytest.mark.parametrize("size", [0, 1, 125, 126, 127, 128, 8192, 8193, 65535, 65536, LIMIT])
def test_text_of_every_length_form(client: RawClient, size: int) -> None:
    client.send(frame(TEXT, b"*" * size))
    assert client.read() == (TEXT, b"*" * size)


def test_a_message_byte_by_byte(client: RawClient) -> None:
    client.send_bytewise(frame(TEXT, b"slowly" * 30))
    assert client.read() == (TEXT, b"slowly" * 30)


def test_many_frames_in_one_packet(client: RawClient) -> None:
    client.send(*[frame(TEXT, b"%d" % number) for number in range(300)])
    assert [client.read() for _ in range(300)] == [(TEXT, b"%d" % n) for n in range(300)]


@pytest.mark.parametrize(
    "length",
    [struct.pack("!BH", 126, 5), struct.pack("!BQ", 127, 5), struct.pack("!BQ", 127, 1 << 63)],
    ids=["16 bits for 5", "64 bits for 5", "most significant bit"],
)
def test_a_length_in_the_wrong_form(client: RawClient, length: bytes) -> None:
    fails(client, 1002, frame(TEXT, b"12345", length=length))


def test_an_unmasked_frame(client: RawClient) -> None:
    fails(client, 1002, frame(TEXT, b"bare", masked=False))


# ---------------------------------------------------------------- 2: pings and pongs


@pytest.mark.parametrize("payload", [b"", b"hello", b"\x00\xff\xfe\xfd", b"x" * 125])
def test_a_ping_is_answered(client: RawClient, payload: bytes) -> None:
    client.send(frame(PING, payload))
    assert client.read() == (PONG, payload)


def test_ten_pings_are_answered_in_order(client: RawClient) -> None:
    client.send(*[frame(PING, b"%d" % number) for number in range(10)])
    assert [client.read() for _ in range(10)] == [(PONG, b"%d" % n) for n in range(10)]


def test_an_unasked_pong_is_ignored(client: RawClient) -> None:
    client.send(frame(PONG, b"unasked"), frame(PONG))
    still_works(client)


@pytest.mark.parametrize("opcode", [PING, PONG, CLOSE])
def test_a_control_frame_over_125_bytes(client: RawClient, opcode: int) -> None:
    fails(client, 1002, frame(opcode, b"\x03\xe8" + b"x" * 124))


@pytest.mark.parametrize("opcode", [PING, PONG, CLOSE])
def test_a_fragmented_control_frame(client: RawClient, opcode: int) -> None:
    fails(client, 1002, frame(opcode, fin=False))


# ---------------------------------------------------------------- 3, 4: reserved bits, opcodes


@pytest.mark.parametrize("rsv", range(1, 8))
@pytest.mark.parametrize("opcode", [TEXT, BINARY, PING, PONG])
def test_reserved_bits(client: RawClient, opcode: int, rsv: int) -> None:
    fails(client, 1002, frame(opcode, b"x", rsv=rsv))


def test_reserved_bits_on_a_close(client: RawClient) -> None:
    client.send(frame(CLOSE, b"\x03\xe8", rsv=7))
    assert client.read_close() == 1002


@pytest.mark.parametrize("opcode", [3, 4, 5, 6, 7, 11, 12, 13, 14, 15])
def test_reserved_opcodes(client: RawClient, opcode: int) -> None:
    fails(client, 1002, frame(opcode, b"x"))


def test_a_message_before_a_bad_frame_is_delivered_first(client: RawClient) -> None:
    client.send(frame(TEXT, b"good"))
    assert client.read() == (TEXT, b"good")
    fails(client, 1002, frame(3))


# ---------------------------------------------------------------- 5: fragmentation


@pytest.mark.parametrize("opcode", [TEXT, BINARY])
def test_fragments_make_one_message(server: Server, opcode: int) -> None:
    with RawClient(server.address, "/echo") as client:
        client.send(
            frame(opcode, b"one ", fin=False),
            frame(CONTINUATION, b"two ", fin=False),
            frame(CONTINUATION, b"three"),
        )
        assert client.read() == (opcode, b"one two three")


def test_empty_fragments(client: RawClient) -> None:
    client.send(
        frame(TEXT, fin=False),
        frame(CONTINUATION, b"middle", fin=False),
        frame(CONTINUATION),
    )
    assert client.read() == (TEXT, b"middle")


def test_pings_between_fragments(client: RawClient) -> None:
    client.send(
        frame(TEXT, b"one ", fin=False),
        frame(PING, b"p1"),
        frame(CONTINUATION, b"two ", fin=False),
        frame(PING, b"p2"),
        frame(CONTINUATION, b"three"),
    )
    answers = [client.read() for _ in range(3)]
    assert answers == [(PONG, b"p1"), (PONG, b"p2"), (TEXT, b"one two three")]


def test_a_continuation_of_nothing(client: RawClient) -> None:
    fails(client, 1002, frame(CONTINUATION, b"of nothing"))


def test_a_continuation_after_the_end(client: RawClient) -> None:
    client.send(frame(TEXT, b"a", fin=False), frame(CONTINUATION, b"b"))
    assert client.read() == (TEXT, b"ab")
    fails(client, 1002, frame(CONTINUATION, b"c"))


@pytest.mark.parametrize("opcode", [TEXT, BINARY])
def test_a_new_message_inside_a_fragmented_one(client: RawClient, opcode: int) -> None:
    fails(client, 1002, frame(TEXT, b"a", fin=False), frame(opcode, b"b"))


def test_a_close_between_fragments(client: RawClient) -> None:
    client.send(frame(TEXT, b"a", fin=False), close_frame(1000))
    assert client.read_close() == 1000
    assert client.is_cut()


# ---------------------------------------------------------------- 6: UTF-8

VALID = ["κόσμε", "\U00010348", "\ufffd", "\x00", "\ud7ff\ue000", "\U0010ffff"]
INVALID = [
    b"\xce\xba\xe1\xbd\xb9\xcf\x83\xce\xbc\xce\xb5\xed\xa0\x80edited",  # a surrogate
    b"\xf4\x90\x80\x80",  # beyond U+10FFFF
    b"\xc0\xaf",  # overlong
    b"\xfe",
    b"\x80",  # a continuation byte first
    b"\xce",  # cut off
    b"\xf0\x90\x80",
]


@pytest.mark.parametrize("text", VALID)
def test_valid_text(client: RawClient, text: str) -> None:
    data = text.encode()
    client.send(frame(TEXT, data))
    assert client.read() == (TEXT, data)
    # Fragments may cut characters in two.
    pieces = [data[i : i + 1] for i in range(len(data))]
    client.send(frame(TEXT, pieces[0], fin=False))
    client.send(*[frame(CONTINUATION, piece, fin=False) for piece in pieces[1:]])
    client.send(frame(CONTINUATION))
    assert client.read() == (TEXT, data)


@pytest.mark.parametrize("data", INVALID)
def test_invalid_text(client: RawClient, data: bytes) -> None:
    fails(client, 1007, frame(TEXT, data))


@pytest.mark.parametrize("data", INVALID)
def test_invalid_text_in_fragments(client: RawClient, data: bytes) -> None:
    pieces = [frame(CONTINUATION, data[i : i + 1], fin=False) for i in range(len(data))]
    fails(client, 1007, frame(TEXT, fin=False), *pieces, frame(CONTINUATION))


def test_invalid_text_is_noticed_before_the_last_fragment(client: RawClient) -> None:
    fails(client, 1007, frame(TEXT, b"\xfe", fin=False))


def test_binary_need_not_be_text(server: Server) -> None:
    with RawClient(server.address, "/echo") as client:
        client.send(frame(BINARY, b"\xfe\xff"))
        assert client.read() == (BINARY, b"\xfe\xff")


# ---------------------------------------------------------------- 7: the closing handshake


def test_a_close_is_echoed_and_the_server_hangs_up(client: RawClient) -> None:
    client.send(close_frame(1000, b"done"))
    assert client.read() == (CLOSE, b"\x03\xe8done")
    assert client.is_cut()


def test_frames_after_a_close_are_ignored(client: RawClient) -> None:
    client.send(close_frame(1000), frame(TEXT, b"too late"), frame(PING), close_frame(1000))
    assert client.read_close() == 1000
    assert client.is_cut()


def test_an_empty_close(client: RawClient) -> None:
    client.send(frame(CLOSE))
    assert client.read_close() == 1000
    assert client.is_cut()


def test_a_close_of_one_byte(client: RawClient) -> None:
    fails(client, 1002, frame(CLOSE, b"\x03"))


def test_a_reason_that_fills_the_frame(client: RawClient) -> None:
    client.send(close_frame(1000, b"x" * 123))
    assert client.read() == (CLOSE, b"\x03\xe8" + b"x" * 123)


def test_a_reason_that_is_not_text(client: RawClient) -> None:
    fails(client, 1007, close_frame(1000, b"\xfe"))


@pytest.mark.parametrize("code", [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 3000, 4999])
def test_valid_close_codes(client: RawClient, code: int) -> None:
    client.send(close_frame(code))
    assert client.read_close() == code


@pytest.mark.parametrize(
    "code", [0, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65535]
)
def test_invalid_close_codes(client: RawClient, code: int) -> None:
    client.send(close_frame(code))
    assert client.read_close() == 1002
    assert client.is_cut()


# ---------------------------------------------------------------- 9: limits


def test_a_frame_over_the_limit(client: RawClient) -> None:
    fails(client, 1009, frame(TEXT, b"x" * (LIMIT + 1)))


def test_a_frame_that_only_claims_to_be_large(client: RawClient) -> None:
    """It is refused by its header: nothing is buffered for it."""
    client.send(frame(TEXT, b"x", length=struct.pack("!BQ", 127, 1 << 40)))
    assert client.read_close() == 1009
    assert client.is_cut()


def test_a_message_over_the_limit_in_small_fragments(client: RawClient) -> None:
    half = b"x" * (LIMIT // 2)
    fails(
        client,
        1009,
        frame(TEXT, half, fin=False),
        frame(CONTINUATION, half, fin=False),
        frame(CONTINUATION, b"x"),
    )
