"""Players, wishes and tickets for the tests, and strategies that make them."""

from __future__ import annotations

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from lobby.pairing import Config
from lobby.players import Player, user_identity
from lobby.tickets import Ticket, Wish, new_ticket

# A busy machine is no reason to fail.
calm = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=80)

CONFIG = Config(sizes={"duel": (2, 2), "brawl": (2, 4)})


def player(number: int, *, rating: float = 1000.0, kind: str = "registered") -> Player:
    return Player(
        identity=user_identity(number),
        user_id=number,
        name=f"Player{number}",
        kind=kind,
        ratings={"duel": rating, "brawl": rating},
    )


def ticket(number: int, *wishes: Wish, at: int = 0, rating: float = 1000.0, **more) -> Ticket:
    wanted = wishes or (Wish(mode="duel", size=2),)
    return new_ticket(player(number, rating=rating), wanted, at, id=f"t{number:03}", **more)


@st.composite
def ticket_sets(draw: st.DrawFn, most: int = 14) -> list[Ticket]:
    """Tickets of distinct ids; now and then two of one player."""
    wishes = st.builds(
        lambda mode, size, rated: Wish(mode=mode, size=2 if mode == "duel" else size, rated=rated),
        st.sampled_from(["duel", "brawl"]),
        st.sampled_from([0, 2, 3, 4]),
        st.booleans(),
    )
    tickets = []
    for number in range(draw(st.integers(0, most))):
        who = player(
            draw(st.integers(0, number)), rating=draw(st.sampled_from([700, 900, 1000, 1100, 1600]))
        )
        tickets.append(
            new_ticket(
                who,
                tuple(dict.fromkeys(draw(st.lists(wishes, min_size=1, max_size=4)))),
                draw(st.integers(0, 60_000)),
                bots=draw(st.sampled_from(["ask", "now", "later", "never"])),
                id=f"t{number:03}",
            )
        )
    return tickets


blocked_pairs = st.frozensets(
    st.frozensets(st.integers(0, 13), min_size=2, max_size=2), max_size=12
)
times = st.integers(0, 120_000)
