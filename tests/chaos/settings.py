"""The site as chaos runs it: only the jobs that a match needs, and, on demand, a bug."""

from __future__ import annotations

from minesite.settings import *  # noqa: F403
from minesite.settings import INSTALLED_APPS

WORKER_JOBS = ["games.live.sweeper:run", "games.live.archive:run_job"]
INSTALLED_APPS = [*INSTALLED_APPS, "tests.chaos.broken"]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
