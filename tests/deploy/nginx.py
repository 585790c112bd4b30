"""A real nginx with `deploy/nginx.conf`, in front of web processes on ports of their own."""

from __future__ import annotations

import os
import re
import shutil
import signal
import ssl
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import pytest

from tests.running_site import ROOT, RunningSite, free_port, wait_for

MAIN = """
daemon off;
{user}
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{ worker_connections 4096; }}
http {{
    include /etc/nginx/mime.types;
    log_format routes "$status $uri $upstream_addr";
    access_log {folder}/access.log routes;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/site.conf;
}}
"""

needs_nginx = pytest.mark.skipif(
    not (shutil.which("nginx") and shutil.which("openssl")),
    reason="nginx or openssl isn't installed (apt install nginx openssl)",
)


class HasAddress(Protocol):
    @property
    def address(self) -> str: ...


class Web:
    """A web process with its own port, as minesite-web@.service runs it."""

    def __init__(self, site: RunningSite, wait: bool = True) -> None:
        """`wait`: until it answers."""
        self.port = free_port()
        self._site = site
        self.start(wait)

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    def start(self, wait: bool = True) -> None:
        with (self._site.data_dir / f"web-{self.port}.out").open("ab") as output:
            self._process = subprocess.Popen(
                [sys.executable, "manage.py", "web"],
                cwd=ROOT,
                env={
                    **self._site.environment,
                    "PORT": str(self.port),
                    "HTTPS": "1",
                    "TRUSTED_PROXIES": "127.0.0.1",
                },
                stdout=output,
                stderr=output,
            )
        if wait:
            self.wait_until_ready()

    def wait_until_ready(self) -> None:
        itself = RunningSite(self._site.data_dir, self.port, 0, {})
        wait_for(itself.healthy, 180, f"the web process on port {self.port}")

    @property
    def pid(self) -> int:
        return self._process.pid

    def kill(self) -> None:
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()


class Nginx:
    def __init__(self, folder: Path, webs: Sequence[HasAddress], static: Path) -> None:
        """`static`: what `prepare` collected."""
        self.folder = folder
        self._static = static
        self.http_port, self.https_port = free_port(), free_port()
        self._make_certificate()
        user = "user root;" if os.getuid() == 0 else ""
        (folder / "nginx.conf").write_text(MAIN.format(folder=folder, user=user))
        (folder / "site.conf").write_text(self._deployed(webs))
        self._process = subprocess.Popen(["nginx", "-c", folder / "nginx.conf", "-p", folder])
        wait_for(self._is_up, 10, "nginx")

    def _is_up(self) -> bool:
        assert self._process.poll() is None, (self.folder / "error.log").read_text()
        return (self.folder / "nginx.pid").exists()

    def _make_certificate(self) -> None:
        command = "openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=localhost".split()
        command += ["-keyout", str(self.folder / "privkey.pem")]
        command += ["-out", str(self.folder / "fullchain.pem")]
        subprocess.run(command, check=True, capture_output=True)

    def _deployed(self, webs: Sequence[HasAddress]) -> str:
        """The deployed file with addresses, ports and certificates of this test."""
        text = (ROOT / "deploy" / "nginx.conf").read_text()
        servers = "".join(f"    server {web.address} fail_timeout=2s;\n" for web in webs)
        text, lists = re.subn(r"(?:^    server \S+:8000 .*\n)+", servers, text, flags=re.MULTILINE)
        assert lists == 2
        text = re.sub(r"listen \[::\].*", "", text)
        text = text.replace("listen 80;", f"listen 127.0.0.1:{self.http_port};")
        text = text.replace("listen 443 ", f"listen 127.0.0.1:{self.https_port} ")
        for deployed, ours in (
            ("/etc/nginx/certificates", self.folder),
            ("/var/cache/nginx-minesite", self.folder / "cache"),
            ("/var/lib/minesite-www", self._static.parent),
        ):
            assert deployed in text
            text = text.replace(deployed, str(ours))
        return text

    @property
    def url(self) -> str:
        return f"https://127.0.0.1:{self.https_port}"

    @property
    def trusting(self) -> ssl.SSLContext:
        context = ssl.create_default_context(cafile=str(self.folder / "fullchain.pem"))
        context.check_hostname = False
        return context

    def requests(self) -> list[tuple[int, str, list[str]]]:
        """Status, path and the addresses tried of every finished request."""
        lines = (self.folder / "access.log").read_text().splitlines()
        fields = [line.split(" ", 2) for line in lines]
        return [(int(status), path, tried.split(", ")) for status, path, tried in fields]

    def stop(self) -> None:
        self._process.terminate()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
