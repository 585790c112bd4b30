"""A push service and the browsers that subscribed to it, made of nothing that the site uses to
send: the signature is checked (RFC 8292) and the message decrypted (RFC 8291) by their own code."""

from __future__ import annotations

import json
import secrets
import ssl
import threading
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from pathlib import Path
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

CURVE = ec.SECP256R1()


def b64(raw: bytes) -> str:
    return urlsafe_b64encode(raw).decode().rstrip("=")


def unb64(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def point(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(
        serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
    )


class Browser:
    """A browser with a subscription."""

    def __init__(self, endpoint: str) -> None:
        self.endpoint = endpoint
        self._key = ec.generate_private_key(CURVE)
        self._auth = secrets.token_bytes(16)
        self.shown: list[dict[str, str]] = []
        """What its service worker was given."""

    @property
    def subscription(self) -> dict[str, Any]:
        keys = {"p256dh": b64(point(self._key.public_key())), "auth": b64(self._auth)}
        return {"endpoint": self.endpoint, "expirationTime": None, "keys": keys}

    def decrypt(self, body: bytes) -> bytes:
        salt, length = body[:16], body[20]
        theirs, encrypted = body[21 : 21 + length], body[21 + length :]
        shared = self._key.exchange(
            ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(CURVE, theirs)
        )
        info = b"WebPush: info\0" + point(self._key.public_key()) + theirs
        secret = _derived(shared, self._auth, info, 32)
        key = _derived(secret, salt, b"Content-Encoding: aes128gcm\0", 16)
        nonce = _derived(secret, salt, b"Content-Encoding: nonce\0", 12)
        padded = AESGCM(key).decrypt(nonce, encrypted, None).rstrip(b"\0")
        assert padded[-1] == 2, "not the last record"
        return padded[:-1]


def _derived(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(hashes.SHA256(), length, salt, info).derive(secret)


def check_signature(authorization: str, audience: str) -> dict[str, Any]:
    """The claims, and the key that signed them as `k`; fails when the signature is another's."""
    scheme, _, rest = authorization.partition(" ")
    assert scheme == "vapid"
    given = dict(part.strip().split("=", 1) for part in rest.split(","))
    signed, _, signature = given["t"].rpartition(".")
    raw = unb64(signature)
    assert len(raw) == 64
    numbers = int.from_bytes(raw[:32]), int.from_bytes(raw[32:])
    key = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, unb64(given["k"]))
    key.verify(encode_dss_signature(*numbers), signed.encode(), ec.ECDSA(hashes.SHA256()))
    header, claims = (json.loads(unb64(part)) for part in signed.split("."))
    assert header["alg"] == "ES256"
    assert claims["aud"] == audience
    assert time.time() < claims["exp"] <= time.time() + 24 * 3600
    assert claims["sub"].startswith(("mailto:", "https://"))
    return {**claims, "k": given["k"]}


class PushService:
    """An https server on a port of its own. A browser is at `/<name>`; `answers[name]` is the raw
    answer to a message for it, 201 unless told, and None no answer at all."""

    CREATED = b"HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n"

    def __init__(self, folder: Path) -> None:
        self.browsers: dict[str, Browser] = {}
        self.answers: dict[str, bytes | None] = {}
        self.asked: list[str] = []
        """Paths of all requests."""
        self.headers: list[dict[str, str]] = []
        """Of the messages that were taken."""
        self.claims: list[dict[str, Any]] = []
        self.errors: list[str] = []
        self.certificate = folder / "authority.pem"
        certificate, key = _certificates(self.certificate, folder)
        self.closing = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(certificate, key)
        self._server.socket = tls.wrap_socket(self._server.socket, server_side=True)
        self._thread = threading.Thread(target=self._server.serve_forever)
        self._thread.start()

    @property
    def origin(self) -> str:
        return f"https://localhost:{self._server.server_port}"

    def browser(self, name: str) -> Browser:
        found = self.browsers[name] = Browser(f"{self.origin}/{name}")
        return found

    def close(self) -> None:
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                service.asked.append(self.path)
                name = self.path.lstrip("/")
                answer = service.answers.get(name, service.CREATED)
                if answer is None:
                    service.closing.wait()
                    return
                try:
                    if answer is service.CREATED:
                        service.take(name, dict(self.headers), self._body())
                    self.wfile.write(answer)
                except OSError:
                    pass  # the site has heard enough
                except Exception as error:
                    service.errors.append(repr(error))
                self.close_connection = True

            def _body(self) -> bytes:
                return self.rfile.read(int(self.headers["Content-Length"]))

            def log_message(self, *args: Any) -> None: ...

        return Handler

    def take(self, name: str, headers: dict[str, str], body: bytes) -> None:
        assert len(body) <= 4096
        assert headers["Content-Encoding"] == "aes128gcm"
        assert int(headers["TTL"]) > 0
        claims = check_signature(headers["Authorization"], self.origin)
        browser = self.browsers[name]
        self.headers.append(headers)
        self.claims.append(claims)
        browser.shown.append(json.loads(browser.decrypt(body)))


def _certificates(authority_file: Path, folder: Path) -> tuple[Path, Path]:
    """An authority, and the certificate of `localhost` with its key."""
    authority_key, key = (ec.generate_private_key(CURVE) for _ in range(2))
    issuer = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "Push test authority")])
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)

    def builder(
        name: x509.Name, public: ec.EllipticCurvePublicKey, is_authority: bool
    ) -> x509.CertificateBuilder:
        usage = x509.KeyUsage(
            digital_signature=True, content_commitment=False, key_encipherment=False,
            data_encipherment=False, key_agreement=False, key_cert_sign=is_authority,
            crl_sign=is_authority, encipher_only=False, decipher_only=False,
        )  # fmt: skip
        return (
            x509.CertificateBuilder()
            .subject_name(name)
            .issuer_name(issuer)
            .public_key(public)
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - timedelta(days=1))
            .not_valid_after(now + timedelta(days=1))
            .add_extension(x509.BasicConstraints(is_authority, None), critical=True)
            .add_extension(usage, critical=True)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(public), critical=False)
            .add_extension(
                x509.AuthorityKeyIdentifier.from_issuer_public_key(authority_key.public_key()),
                critical=False,
            )
        )

    authority = builder(issuer, authority_key.public_key(), True)
    names = [x509.DNSName("localhost"), x509.IPAddress(ip_address("127.0.0.1"))]
    leaf = builder(subject, key.public_key(), False).add_extension(
        x509.SubjectAlternativeName(names), critical=False
    )
    pem = serialization.Encoding.PEM
    authority_file.write_bytes(authority.sign(authority_key, hashes.SHA256()).public_bytes(pem))
    certificate_file, key_file = folder / "localhost.pem", folder / "localhost.key"
    certificate_file.write_bytes(leaf.sign(authority_key, hashes.SHA256()).public_bytes(pem))
    key_file.write_bytes(
        key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    return certificate_file, key_file
