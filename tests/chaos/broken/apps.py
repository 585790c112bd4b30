from __future__ import annotations

import os

from django.apps import AppConfig


class BrokenConfig(AppConfig):
    name = "tests.chaos.broken"

    def ready(self) -> None:
        bug = os.environ.get("CHAOS_BUG")
        if bug:
            from tests.chaos.broken import bugs

            getattr(bugs, bug)()
