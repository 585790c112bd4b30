"""One lifecycle around every mode: set-up, live, over; who is there, who is gone, who has won.

Lifecycle actions, in every mode: `{"type": "ready"}` (where the mode has a plain ready check),
`{"type": "surrender"}`, `{"type": "claim_win"}` (when the only other side has been away for longer
than its grace).

A seat that drops has `grace_seconds` to return, one that leaves on purpose
`leave_grace_seconds`. After that, in a match of two sides the other may claim the win or wait; in a
larger match the seat is out and the rest play on. When everybody is past their grace, those who
went first are out first; when all went at the same moment the match is aborted.

A seat that the site itself lost (a drop with the reason `outage`) has at least a minute to return.
If it doesn't, the match is aborted: an outage is held against nobody.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from . import snapshot, viewing
from .errors import BadAction, IllegalAction
from .folding import EVENTS, LIVE, OVER, SETUP, fold
from .game import (
    ALL,
    ONLY,
    Addressed,
    Event,
    Input,
    Kind,
    Outcome,
    Rules,
    SettlesEarly,
    Setup,
    Spec,
    TakesTurns,
    View,
    Viewer,
)
from .placing import place
from .state import Seat, State

S = TypeVar("S")

ACTIONS: Final = ("ready", "surrender", "claim_win")
EXCUSED_SECONDS: Final = 60
"""The least grace of a seat that the site lost."""
SITE_OUTAGE: Final = "outage"
"""The reason of a drop that the site caused, and of the abort that follows."""
FAULT: Final = "fault"
"""The reason of an abort after the rules raised."""

# Read once: looking a member up costs more than comparing with it.
ACTION, TICK, OUTAGE, ABORT = Kind.ACTION, Kind.TICK, Kind.OUTAGE, Kind.ABORT
RETURN, LEAVE = Kind.RETURN, Kind.LEAVE


@dataclass(frozen=True, slots=True)
class Common:
    """An action of the lifecycle itself."""

    type: str


class Lifecycle(Generic[S]):
    """The `Game` made of a mode's `Rules`."""

    def __init__(self, rules: Rules[S]) -> None:
        self.rules = rules

    @property
    def spec(self) -> Spec:
        return self.rules.spec

    def turn(self, state: State[S]) -> int | None:
        """The seat whose turn it is, in a live match of a mode that has turns."""
        if state.phase != LIVE or not isinstance(self.rules, TakesTurns):
            return None
        return self.rules.turn(state.game)

    # -- edge of trust ---------------------------------------------------------------------------

    def parse_options(self, raw: object) -> Any:
        return self.rules.parse_options(raw)

    def parse_action(self, raw: object) -> Any:
        if isinstance(raw, dict):
            kind = raw.get("type")
            if kind in ACTIONS and (kind != "ready" or self.spec.ready_check):
                if len(raw) != 1:
                    raise BadAction("bad_action", f"{kind} takes no other fields.")
                return Common(kind)
        return self.rules.parse_action(raw)

    # -- life ------------------------------------------------------------------------------------

    def start(self, setup: Setup) -> State[S]:
        game = self.rules.start(setup)
        seconds = self.rules.setup_seconds(game)
        state = State(
            setup=setup,
            game=game,
            seats=[Seat() for _ in range(setup.seats)],
            origin=setup.at,
            setup_ends=None if seconds is None else seconds * 1000,
            teams=tuple(self.rules.teams(game)),
        )
        if seconds is None:
            state.phase = LIVE
            for seat in state.seats:
                seat.ready = True
            self.rules.begin(game, 0)  # nobody has a view yet: no event is due to anyone
        return state

    def due(self, state: State[S]) -> int | None:
        """The absolute time of the next timer."""
        t = self._due(state)
        return None if t is None else state.origin + t

    def _due(self, state: State[S]) -> int | None:
        if state.phase == OVER:
            return None
        first = state.setup_ends if state.phase == SETUP else self.rules.due(state.game)
        for seat in state.seats:
            deadline = seat.deadline
            if deadline is not None and (first is None or deadline < first):
                first = deadline
        return first

    def advance(self, state: State[S], at: int) -> list[Addressed]:
        """Fire every timer due by `at`, each at its own time, in order."""
        out: list[Addressed] = []
        t = at - state.origin
        if t < state.now:
            t = state.now
        while (due := self._due(state)) is not None and due <= t:
            state.now = max(due, state.now)
            if state.phase == SETUP and due == state.setup_ends:
                self._setup_timeout(state, out)
            elif any(s.deadline == due for s in state.seats):
                self._graces_end(state, due, out)
            else:
                out += self.rules.advance(state.game, due)
                self._settle(state, out)
                if state.phase == LIVE:
                    self._check_that_time_passes(state, due)
        state.now = t
        return out

    def _check_that_time_passes(self, state: State[S], fired: int) -> None:
        """`advance(t)` fires every timer due by t, several at the same moment too. If one is left,
        or a new one is in the past, firing timers might never end."""
        following = self.rules.due(state.game)
        if following is not None and following <= fired:
            raise RuntimeError(
                f"{self.spec.name}: a timer did not fire. After the timers of {fired} ms, due() is "
                f"{following}; it must be later, or None."
            )

    def check(self, state: State[S], seat: int, action: Any, at: int | None = None) -> None:
        """Raises IllegalAction when this seat may not do this now; changes nothing. The state
        stands at its last entry; `at` is the time by now, before which no timer is due: penalties
        that are over by then, and what was earned until then, count."""
        if seat is None or not 0 <= seat < len(state.seats):  # None is a spectator
            raise IllegalAction("not_a_player", "Only players in this match can do that.")
        t = state.now
        if at is not None and at - state.origin > t:
            t = at - state.origin
        self._check(state, seat, action, t)

    def _check(self, state: State[S], seat: int, action: Any, t: int) -> None:
        phase, me = state.phase, state.seats[seat]
        if phase == OVER:
            raise IllegalAction("match_over", "The match is over.")
        if me.retired is not None:
            raise IllegalAction("out_of_match", "You're no longer in this match.")
        if type(action) is not Common:
            if phase == SETUP and _all_ready(state):
                raise IllegalAction("starting", "The match is about to start.")
            self.rules.check_action(state.game, seat, action, t, phase == LIVE)
        elif action.type == "ready":
            if state.phase == LIVE:
                raise IllegalAction("already_started", "The match has already started.")
            if me.ready:
                raise IllegalAction("already_ready", "You're already ready.")
        elif action.type == "surrender":
            if self._settled(state, seat):
                raise IllegalAction("finished", "You have already finished.")
        elif not self._may_claim(state, seat):
            raise IllegalAction(
                "nothing_to_claim", "Nobody has been away long enough for you to claim the win."
            )

    def apply(self, state: State[S], given: Input) -> list[Addressed]:
        """Bring the match to the entry's time, then apply it. Only entries of the log come here,
        in order; the same entries always give the same state and the same events."""
        kind, seat = given.kind, given.seat
        # Compared by value: "action", as it stands in a log, is a kind too.
        if kind == ACTION:
            return self.act(state, seat, given.action, given.at)
        if kind == OUTAGE:
            return self._outage(state, given)
        if kind == ABORT and given.reason == FAULT:
            return self._abort_at_fault(state, given)
        out = self.advance(state, given.at)
        if state.phase == OVER or kind == TICK:
            pass
        elif kind == ABORT:
            self._abort(state, given.reason or "aborted", (), out)
        elif seat is not None and 0 <= seat < len(state.seats):
            self._presence(state, seat, kind, given.reason == SITE_OUTAGE, out)
        return out

    def act(self, state: State[S], seat: int | None, action: Any, at: int) -> list[Addressed]:
        """`apply` for an action, which is nearly every entry."""
        t, due = at - state.origin, self._due(state)
        if t < state.now:
            t = state.now
        if due is not None and due <= t:
            out = self.advance(state, at)
        else:
            out, state.now = [], t
        if seat is None or not 0 <= seat < len(state.seats):
            return out
        try:
            self._check(state, seat, action, t)
        except IllegalAction as error:
            out.append(_refusal(seat, error.code, error.text))
            return out
        if type(action) is Common:
            self._common(state, seat, action.type, out)
        else:
            out += self.rules.apply_action(state.game, seat, action, t)
        if state.phase == LIVE:
            self._end_if_finished(state, out)
        else:
            self._settle(state, out)
        return out

    # -- inputs ----------------------------------------------------------------------------------

    def _common(self, state: State[S], seat: int, kind: str, out: list[Addressed]) -> None:
        if kind == "ready":
            state.seats[seat].ready = True
            out.append(Addressed(ALL, {"type": "ready", "seat": seat}))
        elif kind == "claim_win":
            for other, at in enumerate(state.seats):
                if at.claimable and state.teams[other] != state.teams[seat]:
                    self._retire(state, other, "claimed", out)
        elif state.phase == SETUP:
            self._abort(state, "surrender", (seat,), out)
        else:
            self._retire(state, seat, "surrender", out)

    def _presence(
        self, state: State[S], seat: int, kind: Kind, excused: bool, out: list[Addressed]
    ) -> None:
        who = state.seats[seat]
        if who.retired is not None:
            return
        if kind == RETURN:
            if not who.connected:
                who.connected, who.gone, who.deadline, who.claimable = True, None, None, False
                who.excused = False
                out.append(Addressed(ALL, {"type": "returned", "seat": seat}))
            return
        left = kind == LEAVE
        grace = self.spec.leave_grace_seconds if left else self._grace(excused)
        # A set-up has its own limit, and names who is missing: no grace runs during it.
        waited_for = state.phase == LIVE and not self._settled(state, seat)
        deadline = state.now + grace * 1000 if waited_for else None
        if who.connected:
            who.connected, who.gone, who.deadline = False, state.now, deadline
            who.excused = excused
        elif left and deadline and who.deadline and deadline < who.deadline:
            who.deadline = deadline
        else:
            return
        out.append(_away("left" if left else "dropped", seat, who))

    def _grace(self, excused: bool) -> int:
        return max(self.spec.grace_seconds, EXCUSED_SECONDS) if excused else self.spec.grace_seconds

    def _outage(self, state: State[S], given: Input) -> list[Addressed]:
        """Match time stands still for the time the site was down: no timer runs, no grace."""
        before = max(given.at - given.ms, state.origin + state.now)
        out = self.advance(state, before)
        if state.phase != OVER:
            state.origin += max(given.at - before, 0)
            out.append(Addressed(ALL, {"type": "clock", "origin": state.origin}))
        return out

    def _abort_at_fault(self, state: State[S], given: Input) -> list[Addressed]:
        """End a match whose rules raised. Fires no timer: it may be what raises."""
        out: list[Addressed] = []
        if state.phase != OVER:
            state.now = max(state.now, given.at - state.origin)
            self._abort(state, FAULT, (), out)
        return out

    # -- turns of the lifecycle ------------------------------------------------------------------

    def _setup_timeout(self, state: State[S], out: list[Addressed]) -> None:
        if _all_ready(state):  # the countdown is over
            self._begin(state, out)
            return
        finished = (
            None if self.spec.ready_check else self.rules.setup_timeout(state.game, state.now)
        )
        if finished is None:
            absent = tuple(
                i
                for i, seat in enumerate(state.seats)
                if not seat.excused and not self._ready(state, i)
            )
            self._abort(state, "not_ready", absent, out)
            return
        out += finished
        self._begin(state, out)

    def _ready(self, state: State[S], seat: int) -> bool:
        if self.spec.ready_check:
            return state.seats[seat].ready
        return self.rules.is_ready(state.game, seat)

    def _start(self, state: State[S], out: list[Addressed]) -> None:
        """Begin, after the countdown if there is one."""
        if not state.setup.countdown:
            self._begin(state, out)
            return
        state.setup_ends = state.now + state.setup.countdown
        out.append(Addressed(ALL, {"type": "starting", "t": state.setup_ends}))

    def _begin(self, state: State[S], out: list[Addressed]) -> None:
        state.phase = LIVE
        state.setup_ends = None
        for seat in state.seats:
            seat.ready = True
        out.append(Addressed(ALL, {"type": "started", "t": state.now}))
        for i, seat in enumerate(state.seats):
            if not seat.connected:
                seat.deadline = state.now + self._grace(seat.excused) * 1000
                out.append(_away("dropped", i, seat))
        out += self.rules.begin(state.game, state.now)
        self._end_if_finished(state, out)

    def _settle(self, state: State[S], out: list[Addressed]) -> None:
        """After any change: does the set-up end, or the match?"""
        if state.phase == SETUP:
            if not self.spec.ready_check:
                for i, seat in enumerate(state.seats):
                    ready = self.rules.is_ready(state.game, i)
                    if ready != seat.ready:
                        seat.ready = ready
                        out.append(Addressed(ALL, {"type": "ready", "seat": i, "ready": ready}))
            if _all_ready(state):
                self._start(state, out)
        elif state.phase == LIVE:
            self._end_if_finished(state, out)

    def _graces_end(self, state: State[S], t: int, out: list[Addressed]) -> None:
        ended = [seat for seat, who in enumerate(state.seats) if who.deadline == t]
        if any(state.seats[seat].excused for seat in ended):
            self._abort(state, SITE_OUTAGE, (), out)
            return
        for seat in ended:
            state.seats[seat].deadline, state.seats[seat].claimable = None, True
        if len(self._sides(state)) == 2 and self._someone_waits(state):
            out += [Addressed(ALL, {"type": "claimable", "seat": seat}) for seat in ended]
            return
        self._drop_the_gone(state, out)
        self._end_if_finished(state, out, "abandoned")

    def _drop_the_gone(self, state: State[S], out: list[Addressed]) -> None:
        """Those past their grace are out, first those who went first."""
        gone = [(who.gone or 0, seat) for seat, who in enumerate(state.seats) if who.claimable]
        for since, seat in sorted(gone):
            if len(self._sides(state)) == 1 and len(set(state.teams)) > 1:
                return
            together = [other for at, other in gone if at == since]
            if len(together) > 1 and self._all_of(state, together):
                self._abort(state, "abandoned", tuple(together), out)
                return
            self._retire(state, seat, "gone", out, together)

    def _all_of(self, state: State[S], seats: list[int]) -> bool:
        return {i for i, s in enumerate(state.seats) if s.retired is None} == set(seats)

    def _someone_waits(self, state: State[S]) -> bool:
        return any(s.retired is None and not s.claimable for s in state.seats)

    def _sides(self, state: State[S]) -> set[int]:
        """The teams that still have a seat in the match."""
        return {state.teams[i] for i, s in enumerate(state.seats) if s.retired is None}

    def _settled(self, state: State[S], seat: int) -> bool:
        return isinstance(self.rules, SettlesEarly) and self.rules.settled(state.game, seat)

    def _may_claim(self, state: State[S], seat: int) -> bool:
        """Every seat of the only other side is past its grace."""
        if state.phase != LIVE or len(self._sides(state)) != 2:
            return False
        mine = state.teams[seat]
        others = [
            s for i, s in enumerate(state.seats) if state.teams[i] != mine and s.retired is None
        ]
        return all(s.claimable for s in others)

    def _retire(
        self,
        state: State[S],
        seat: int,
        why: str,
        out: list[Addressed],
        together: Collection[int] = (),
    ) -> None:
        """This seat is out, behind all that are still in; `together` went at the same moment."""
        who = state.seats[seat]
        who.order = sum(
            s.retired is not None and i not in together for i, s in enumerate(state.seats)
        )
        who.retired, who.deadline, who.claimable = state.now, None, False
        out.append(Addressed(ALL, {"type": "retired", "seat": seat, "t": state.now, "why": why}))
        out += self.rules.retire(state.game, seat, state.now)

    def _went(self, state: State[S], seat: int) -> int | None:
        """The order in which this seat went out, for its place; None: it is still in, or has played
        to its end. A seat past its grace when the match ends is out too, though nobody claimed the
        win."""
        who = state.seats[seat]
        if self._settled(state, seat):
            return None
        if who.retired is not None:
            return who.order
        return len(state.seats) if who.claimable else None

    def _end_if_finished(
        self, state: State[S], out: list[Addressed], nobody_left: str = "surrender"
    ) -> None:
        if state.phase != LIVE:
            return
        reason = self.rules.finished(state.game)
        if reason is None:
            for seat in state.seats:
                if seat.retired is not None:
                    break
            else:
                return  # as after nearly every move
        sides = self._sides(state)
        if reason is None and (not sides or (len(sides) == 1 and len(set(state.teams)) > 1)):
            reason = "last_one_left" if sides else nobody_left
        if reason is None:
            return
        went = [self._went(state, seat) for seat in range(len(state.seats))]
        ranks = place(self.rules.standing(state.game), state.teams, went)
        scores = tuple(self.rules.scores(state.game))
        self._over(state, Outcome(ranks=ranks, reason=reason, scores=scores), out)

    def _abort(
        self, state: State[S], reason: str, absent: tuple[int, ...], out: list[Addressed]
    ) -> None:
        ranks = (1,) * len(state.seats)
        self._over(state, Outcome(ranks=ranks, reason=reason, aborted=True, absent=absent), out)

    def _over(self, state: State[S], outcome: Outcome, out: list[Addressed]) -> None:
        out += self.rules.finish(state.game, state.now)
        state.phase = OVER
        state.outcome = outcome
        state.setup_ends = None
        for seat in state.seats:
            seat.deadline = None
        out.append(
            Addressed(
                ALL, {"type": "over", "t": state.now, **viewing.disclosure(self.rules, state)}
            )
        )

    # -- what is seen ----------------------------------------------------------------------------

    def view(self, state: State[S], viewer: Viewer) -> View:
        return viewing.view(self.rules, state, viewer)

    def fold(self, view: View, event: Event) -> View:
        """Apply an event as a client does; changes and returns the view."""
        kind = event["type"]
        if kind not in EVENTS:
            self.rules.fold(view["game"], event)
        elif kind != "refused":
            fold(view, kind, event)
        return view

    def outcome(self, state: State[S]) -> Outcome | None:
        return state.outcome

    # -- snapshots -------------------------------------------------------------------------------

    def dump(self, state: State[S]) -> bytes:
        return snapshot.dump(self.rules, state)

    def load(self, raw: bytes) -> State[S]:
        """The state that `dump` wrote; raises BadDump for anything else."""
        return snapshot.load(self.rules, raw)


def _all_ready(state: State[Any]) -> bool:
    return all(seat.ready for seat in state.seats)


def _refusal(seat: int, code: str, text: str) -> Addressed:
    return Addressed(ONLY[seat], {"type": "refused", "code": code, "text": text})


def _away(kind: str, seat: int, who: Seat) -> Addressed:
    return Addressed(ALL, {"type": kind, "seat": seat, "gone": who.gone, "deadline": who.deadline})
