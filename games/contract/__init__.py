"""What the contract suite needs to know of a mode: one module per mode.

To bring a mode under the suite, add `contract.py` to its folder, with these functions. `random`
is a seeded `random.Random`: use nothing else that is random. `state` is the lifecycle's state;
the mode's own is `state.game`.

    def options(random) -> dict
        Raw options of a small, short match; every option should vary. Small boards keep 2,000
        matches quick.

    def act(random, state, seat) -> dict | None
        A raw action of this seat: mostly a legal one that gets on with the match, now and then an
        illegal one. It may look at everything in the state. None: nothing to do just now. The
        suite itself adds ready, surrender, claim_win, drops, returns, outages and the time.

    def perturb(random, state, viewer) -> bool
        Change in place, as much as it likes, what this viewer (a seat, or None for a spectator)
        may not know, so that the state is one which could have come about. False when there is
        nothing to change in this state; True needs a real change in `dump` or `truth`. Only for
        modes with `spec.hidden`.

    def quiet(random, state, viewer) -> list[dict]                              (optional)
        Raw log entries, `{"k": "action", "s": seat, "d": action}` or `{"k": "tick", "wait": ms}`,
        which by the rules tell the viewer nothing of what `perturb` changes: another's secret
        action, the viewer's own action elsewhere. Both states get them, and what the viewer
        receives must stay byte-identical. The suite itself always adds drops and returns.

    def deal(random, options) -> bytes                                          (optional)
        A deal for the set-up, from the parsed options; b"" for none.

    WEIGHT = n                                                                  (optional)
        A match of this mode takes about n times as long as one of others: `make test` gives it
        an n-th of the matches and pairs, `make contract` (CONTRACT_FULL) all of them.

Then write golden logs once: `python -m tests.engine.golden <mode>`.
"""

from __future__ import annotations

import os
from importlib import import_module
from types import ModuleType

from games.engine.registry import TEST_MODES


def mode_module(name: str) -> ModuleType:
    if name in TEST_MODES:
        return import_module(f"tests.engine.{name}_contract")
    return import_module(f"games.modes.{name.replace('-', '_')}.contract")


def weight(name: str) -> int:
    if os.environ.get("CONTRACT_FULL"):
        return 1
    return int(getattr(mode_module(name), "WEIGHT", 1))
