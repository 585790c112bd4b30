"""Raises its own limits."""
# reason: crashed: RuntimeError: contained

import resource

from attempts import attempt, report


class LimitPlayer:
    name = "limit"

    def take_turn(self, state):
        for name in ("AS", "NPROC", "NOFILE", "FSIZE", "CPU", "CORE"):
            limit = getattr(resource, f"RLIMIT_{name}")
            high = resource.getrlimit(limit)[1] + 1
            attempt(name, lambda limit=limit, high=high: resource.setrlimit(limit, (high, high)))
        report()
