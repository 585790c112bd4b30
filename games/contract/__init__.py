"""The contract suite: what every mode guarantees, checked by random play.

`manage.py check_mode` and the tests run it over every mode, built in or from outside. A mode tells
it what it needs in `contract.py` in the mode's package. Only `perturb` is required, and only of
modes with secrets; small modes do well with the defaults (defaults.py). `random` is a seeded
`random.Random`: use nothing else that is random. `state` is the lifecycle's state; the mode's own
is `state.game`.

    def options(random) -> dict
        Raw options of a small, short match; every option should vary. Small boards keep 2,000
        matches quick. Default: random values in the ranges of `MODE.options`.

    def act(random, state, seat) -> dict | None
        A raw action of this seat: mostly a legal one that gets on with the match, now and then an
        illegal one. It may look at everything in the state. None: nothing to do just now. The
        suite itself adds ready, surrender, claim_win, drops, returns, outages and the time.
        Default: what the mode's bot does, mixed with random actions.

    def perturb(random, state, viewer) -> bool
        Change in place, as much as you like, what this viewer (a seat, or None for a spectator)
        may not know, so that the state is one which could have come about. False when there is
        nothing to change in this state; True needs a real change in `dump` or `truth`. A mode
        with `spec.hidden` needs it; without it the suite fails, because nothing was checked.

    def quiet(random, state, viewer) -> list[dict]
        Raw log entries, `{"k": "action", "s": seat, "d": action}` or `{"k": "tick", "wait": ms}`,
        which by the rules tell the viewer nothing of what `perturb` changes: another's secret
        action, the viewer's own action elsewhere. Both states get them, and what the viewer
        receives must stay byte-identical. The suite itself always adds drops and returns.

    def deal(random, options) -> bytes
        A deal for the set-up, from the parsed options; b"" for none.

    WEIGHT = n
        A match of this mode takes about n times as long as one of others: `make test` gives it
        an n-th of the matches and pairs, `make contract` (CONTRACT_FULL) all of them.
"""
