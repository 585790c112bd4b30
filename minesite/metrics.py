"""`/metrics` for Prometheus. Other packages add theirs to prometheus-client's default registry.

Under `manage.py up` all processes of a machine write to PROMETHEUS_MULTIPROC_DIR, so that each of
them, the worker too, is in the answer of any web process.
"""

from __future__ import annotations

import os
import secrets

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    REGISTRY,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
)
from prometheus_client import generate_latest as render_metrics
from prometheus_client.multiprocess import MultiProcessCollector

from games import storage

REQUESTS = Counter(
    "minesite_http_requests", "HTTP requests answered", ["method", "route", "status"]
)
SECONDS = Histogram("minesite_http_request_seconds", "Seconds to answer a request", ["route"])

DISK_FREE = Gauge(
    "minesite_disk_free_bytes",
    "Bytes left on the disk of DATA_DIR",
    multiprocess_mode="mostrecent",
)
REFUSED = Counter(
    "minesite_connections_refused", "Requests and connections over a limit", ["status"]
)


def metrics(request: HttpRequest) -> HttpResponse:
    """Open to all unless METRICS_TOKEN is set; then only with `Authorization: Bearer <token>`."""
    wanted = settings.METRICS_TOKEN
    given = request.headers.get("Authorization", "").removeprefix("Bearer ")
    if wanted and not secrets.compare_digest(given.encode(), wanted.encode()):
        return HttpResponse("A bearer token is needed.\n", status=401, content_type="text/plain")
    DISK_FREE.set(storage.disk().free)
    registry = REGISTRY
    if os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
        registry = CollectorRegistry()
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]  # has no types
    return HttpResponse(render_metrics(registry), content_type=CONTENT_TYPE_LATEST)
