"""Checks REDIS_URL: one server, because the lobby's scripts change several keys as one."""

from __future__ import annotations

import sys

from django.conf import settings
from redis import Redis
from redis.exceptions import RedisError

ANSWERS_WITHIN = 2.0
CLUSTER = (
    "REDIS_URL leads to a Redis Cluster, which can hold nothing but match logs: set LIVE_REDIS_URL "
    "to the cluster and REDIS_URL to a single Redis (docs/operations.md)."
)


def is_cluster() -> bool:
    """False also when there is no answer: processes wait for a Redis that is away."""
    try:
        with Redis.from_url(
            settings.REDIS_URL,
            socket_timeout=ANSWERS_WITHIN,
            socket_connect_timeout=ANSWERS_WITHIN,
            retry=None,
        ) as client:
            return bool(client.info("cluster").get("cluster_enabled"))
    except (RedisError, OSError):
        return False


def refuse_cluster() -> None:
    """For commands that start a process of the site: end with one sentence."""
    if is_cluster():
        print(f"minesite: {CLUSTER}", file=sys.stderr)
        sys.exit(1)
