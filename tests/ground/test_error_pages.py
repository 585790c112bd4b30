from __future__ import annotations

import pytest
from django.db import OperationalError
from django.template.loader import render_to_string
from django.test import Client, RequestFactory
from django.urls import clear_url_caches
from django.utils import translation

from minesite.logs import OneLine
from minesite.urls import urlpatterns
from minesite.views import server_error

pytestmark = pytest.mark.django_db


def test_a_foreign_host_gets_the_400_page():
    answer = Client().get("/", headers={"Host": "evil.example"})
    assert answer.status_code == 400
    assert b"Bad request" in answer.content


def test_a_form_without_its_token_gets_a_403_page_that_helps():
    answer = Client(enforce_csrf_checks=True).post("/i18n/setlang/", {"language": "de"})
    assert answer.status_code == 403
    assert b"Please try again" in answer.content


def test_a_missing_page_gets_the_404_page_in_the_readers_language():
    answer = Client().get("/no/such/page", headers={"Accept-Language": "de"})
    assert answer.status_code == 404
    assert b'lang="de"' in answer.content
    assert answer["Content-Security-Policy"]


def test_the_500_page_needs_nothing_that_may_have_failed(django_assert_num_queries):
    # Another test may have left its reader's language behind.
    with django_assert_num_queries(0), translation.override("en"):
        answer = server_error(RequestFactory().get("/"))
    assert answer.status_code == 500
    assert b"Our mistake" in answer.content
    assert b"<script" not in answer.content


def test_a_database_that_cannot_be_used_is_a_503(monkeypatch, caplog):
    def fails(request):
        raise OperationalError("database or disk is full")

    monkeypatch.setattr(
        next(p for p in urlpatterns if getattr(p, "name", "") == "offline"), "callback", fails
    )
    clear_url_caches()
    answer = Client(raise_request_exception=False).get("/offline/")
    assert answer.status_code == 503
    assert answer["Retry-After"] == "60"
    assert b"reach its database" in answer.content
    (record,) = [r for r in caplog.records if r.name == "django.request"]
    OneLine().filter(record)
    assert record.exc_info is None
    assert record.getMessage().endswith(": database or disk is full")


@pytest.mark.parametrize("code", [400, 403, 404, 429, 500, 503])
def test_every_error_page_has_its_number_and_a_way_on(code):
    page = render_to_string(f"{code}.html")
    assert f">{code}<" in page
    assert 'href="/"' in page
