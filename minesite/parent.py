"""A child of `manage.py up` does not outlive it, even when it is killed without a word."""

from __future__ import annotations

import ctypes
import os
import signal
import sys

_PR_SET_PDEATHSIG = 1
SUPERVISOR = "MINESITE_SUPERVISOR"


def ask_kernel() -> None:
    """On Linux: get SIGTERM when the parent dies. Elsewhere: nothing."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


def end_with_parent() -> None:
    """For our own commands: only when `up` started them, so that they can be run by hand too."""
    if supervisor := os.environ.get(SUPERVISOR):
        ask_kernel()
        if os.getppid() != int(supervisor):
            sys.exit("The supervisor ended before this process began.")
