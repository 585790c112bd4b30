"""`deploy/nginx.conf` with a real nginx: each match goes to one web process."""

from __future__ import annotations

import gzip
import json
import re
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from http.client import HTTPConnection, HTTPResponse, HTTPSConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from tests.deploy.nginx import Nginx, Web, needs_nginx
from tests.deploy.players import Matches, make_matches
from tests.running_site import ROOT, RunningSite, wait_for

pytestmark = [pytest.mark.site, pytest.mark.timeout(180)]


@pytest.fixture(scope="module")
def webs(site: RunningSite) -> Iterator[list[Web]]:
    started: list[Web] = []
    try:
        for _ in range(2):
            started.append(Web(site))
        yield started
    finally:
        for web in started:
            web.kill()


@pytest.fixture
def nginx(tmp_path, site: RunningSite, webs: list[Web]) -> Iterator[Nginx]:
    proxy = Nginx(tmp_path, webs, site.data_dir / "static")
    try:
        yield proxy
    finally:
        proxy.stop()


def ask(
    nginx: Nginx, path: str, method: str = "GET", body: bytes = b"", **headers: str
) -> tuple[HTTPResponse, bytes]:
    https = HTTPSConnection("127.0.0.1", nginx.https_port, timeout=20, context=nginx.trusting)
    try:
        names = {name.replace("_", "-"): value for name, value in headers.items()}
        https.request(method, path, body or None, names)
        answer = https.getresponse()
        return answer, answer.read()
    finally:
        https.close()


@needs_nginx
def test_cookies_are_of_this_host_alone(nginx: Nginx) -> None:
    """As browsers want it of names with __Host-: Secure, for all paths, and for no domain."""
    answer, _page = ask(nginx, "/accounts/guest/")
    (cookie,) = [c for c in answer.headers.get_all("Set-Cookie", []) if "csrftoken" in c]
    assert cookie.startswith("__Host-csrftoken=")
    attributes = {part.strip().lower() for part in cookie.split(";")[1:]}
    assert {"secure", "path=/", "httponly", "samesite=lax"} <= attributes
    assert not any(attribute.startswith("domain") for attribute in attributes)


def get(nginx: Nginx, path: str) -> int:
    return ask(nginx, path)[0].status


def places(nginx: Nginx, matches: Matches, match_id: str) -> set[str]:
    """Both players join, and the page is opened: the processes that served the three."""
    before = len(nginx.requests())
    with (
        matches.join(nginx.url, match_id, 0, nginx.trusting),
        matches.join(nginx.url, match_id, 1, nginx.trusting),
    ):
        assert get(nginx, f"/match/{match_id}/") == 200
    wait_for(lambda: len(nginx.requests()) == before + 3, what="three lines in the log")
    lines = nginx.requests()[before:]
    assert sorted(status for status, _path, _tried in lines) == [101, 101, 200]
    return {tried[-1] for _status, _path, tried in lines}


@needs_nginx
def test_a_match_is_served_by_one_process_and_all_else_by_all(
    site: RunningSite, nginx: Nginx, webs: list[Web]
):
    matches = make_matches(site, 12)
    served = [places(nginx, matches, match_id) for match_id in matches.ids]
    assert [len(each) for each in served] == [1] * 12
    assert set.union(*served) == {web.address for web in webs}
    assert served == [places(nginx, matches, match_id) for match_id in matches.ids]
    before = len(nginx.requests())
    for _ in range(6):
        assert get(nginx, "/learn/") == 200
    wait_for(lambda: len(nginx.requests()) == before + 6, what="six lines in the log")
    others = {tried[-1] for _status, _path, tried in nginx.requests()[before:]}
    assert others == {web.address for web in webs}


@needs_nginx
def test_matches_of_a_killed_process_move_to_another_and_return(
    site: RunningSite, nginx: Nginx, webs: list[Web]
):
    matches = make_matches(site, 12)
    home, other = webs
    moved = [m for m in matches.ids if places(nginx, matches, m) == {home.address}][:3]
    home.kill()
    try:
        for match_id in moved:
            assert places(nginx, matches, match_id) == {other.address}
    finally:
        home.start()
    for match_id in moved:
        wait_for(
            lambda id=match_id: places(nginx, matches, id) == {home.address},
            20,
            "the match's return",
        )


@needs_nginx
def test_plain_http_is_redirected_and_metrics_stay_inside(nginx: Nginx):
    http = HTTPConnection("127.0.0.1", nginx.http_port, timeout=20)
    try:
        http.request("GET", "/match/abc/")
        answer = http.getresponse()
        assert (answer.status, answer.headers["Location"]) == (
            301,
            "https://127.0.0.1/match/abc/",
        )
    finally:
        http.close()
    assert get(nginx, "/metrics") == 403


def reached_a_web_process(answer: HTTPResponse) -> bool:
    """Every answer of the site has this header; those of nginx's own don't."""
    return answer.headers["X-Request-ID"] is not None


@needs_nginx
def test_static_files_come_from_nginx_compressed_and_for_good(nginx: Nginx):
    page, html = ask(nginx, "/")
    assert reached_a_web_process(page)
    files = set(re.findall(r'(?:href|src)="(/static/[^"]+\.(?:css|js))"', html.decode()))
    assert len(files) > 10
    for path in files:
        answer, body = ask(nginx, path)
        assert answer.status == 200
        assert not reached_a_web_process(answer)
        assert answer.headers["Cache-Control"] == "public, max-age=315360000, immutable"
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert "charset=utf-8" in answer.headers["Content-Type"]
        small, packed = ask(nginx, path, Accept_Encoding="gzip")
        if small.headers["Content-Encoding"] == "gzip":
            assert gzip.decompress(packed) == body
    style = next(path for path in sorted(files) if path.endswith(".css"))
    assert ask(nginx, style, Accept_Encoding="gzip")[0].headers["Content-Encoding"] == "gzip"
    unhashed, _body = ask(nginx, "/static/site/tokens.css")
    assert not reached_a_web_process(unhashed)
    assert unhashed.headers["Cache-Control"] == "public, max-age=60"
    missing, _body = ask(nginx, "/static/site/nothing.css")
    assert (missing.status, reached_a_web_process(missing)) == (404, True)
    for outside in ("/static/../db.sqlite3", "/static/%2e%2e/db.sqlite3", "/static../db.sqlite3"):
        assert ask(nginx, outside)[0].status in (400, 404)


@needs_nginx
def test_public_json_is_asked_for_once_a_second(nginx: Nginx):
    for path in ("/lobby/now.json", "/api/v1/modes", "/api/v1/leaderboards/race"):
        begin = time.monotonic()
        with ThreadPoolExecutor(8) as threads:
            answers = list(threads.map(partial(ask, nginx), [path] * 200))
        seconds = time.monotonic() - begin
        assert {answer.status for answer, _body in answers} == {200}
        # Every answer of a web process has an id of its own, which stays with it in the cache.
        asked = {answer.headers["X-Request-ID"] for answer, _body in answers}
        assert 1 <= len(asked) <= seconds + 2


@needs_nginx
@pytest.mark.parametrize(
    "headers",
    [{"Cookie": "sessionid=abc"}, {"Authorization": "Bearer abc"}, {"Cookie": "theme=dark"}],
)
def test_a_request_that_says_who_sends_it_is_neither_answered_from_the_cache_nor_kept(
    nginx: Nginx, headers
):
    def ids(**more: str) -> set[str | None]:
        return {ask(nginx, "/lobby/now.json", **more)[0].headers["X-Request-ID"] for _ in range(5)}

    personal = ids(**headers)
    assert len(personal) == 5
    assert not personal & ids()
    assert ask(nginx, "/lobby/now.json", **headers)[0].headers["X-Cache"] == "BYPASS"


@needs_nginx
@pytest.mark.parametrize("path", ["/", "/learn/"])
def test_pages_are_compressed(nginx: Nginx, path: str):
    answer, packed = ask(nginx, path, Accept_Encoding="gzip")
    assert answer.headers["Content-Encoding"] == "gzip"
    assert "accept-encoding" in answer.headers["Vary"].lower()
    assert len(packed) < len(ask(nginx, path)[1]) / 3


@needs_nginx
def test_pages_and_personal_json_are_never_kept(nginx: Nginx):
    for path in ("/", "/watch/", "/daily/now.json", "/healthz", "/history/"):
        answers = [ask(nginx, path)[0].headers for _ in range(3)]
        assert len({headers["X-Request-ID"] for headers in answers}) == 3
        assert not any(headers["X-Cache"] for headers in answers)


@needs_nginx
def test_nginx_limits_headers_and_bodies(nginx: Nginx):
    assert ask(nginx, "/", Cookie="a=" + "b" * 40_000)[0].status == 400
    assert ask(nginx, "/" + "a" * 12_000)[0].status == 414
    assert ask(nginx, "/accounts/login/", "POST", b"a" * 70_000)[0].status == 413


class Recorder(ThreadingHTTPServer):
    """Stands in for a web process: repeats the headers that it got."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = json.dumps(self.headers.items()).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_args: object) -> None:
            pass

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), self.Handler)
        self.address = f"127.0.0.1:{self.server_address[1]}"
        threading.Thread(target=self.serve_forever, args=(0.05,), daemon=True).start()


@needs_nginx
def test_the_site_learns_the_address_of_the_client_and_nothing_that_it_invents(tmp_path):
    with Recorder() as recorder:
        nginx = Nginx(tmp_path, [recorder], tmp_path / "static")
        try:
            invented = {"X_Forwarded_For": "203.0.113.7", "X_Forwarded_Proto": "http"}
            for path in ("/", "/match/abc/", "/lobby/now.json", "/static/nothing.css"):
                told = json.loads(ask(nginx, path, **invented, X_Request_ID="invented")[1])
                got = [(name, value) for name, value in told if name.startswith("X-")]
                assert got[:2] == [("X-Forwarded-For", "127.0.0.1"), ("X-Forwarded-Proto", "https")]
                assert len(got) == 3
                assert re.fullmatch("[0-9a-f]{32}", dict(got)["X-Request-ID"])
        finally:
            nginx.stop()
            recorder.shutdown()


def test_both_lists_of_nginx_name_the_web_processes_of_compose():
    nginx = (ROOT / "deploy" / "nginx.conf").read_text()
    compose = (ROOT / "deploy" / "compose.yaml").read_text()
    services = re.findall(r"^  (web-\d+):", compose, re.MULTILINE)
    lists = re.findall(r"^upstream \w+ \{(.*?)^\}", nginx, re.MULTILINE | re.DOTALL)
    assert len(services) >= 2
    assert [re.findall(r"server (\S+):8000", each) for each in lists] == [services] * 2
