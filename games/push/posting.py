"""Posts to the push service of a browser, whose address came from a stranger.

Only public addresses are connected to: the name is resolved here and the connection made to the
address that was checked, so a name that changes in between gains nothing. Nothing is read but the
status, and redirects are not followed.
"""

from __future__ import annotations

import asyncio
import contextlib
import ssl
from collections.abc import Mapping
from ipaddress import IPv6Address, IPv6Network, ip_address
from socket import AI_ADDRCONFIG, SOCK_STREAM
from typing import Final

from django.conf import settings

from accounts.push import Endpoint

SECONDS: Final = 5.0
"""For all of it: resolving, connecting, sending, and the status."""
LINE_BYTES: Final = 1024
"""Of the status line."""
TRANSLATED: Final = (IPv6Network("64:ff9b::/96"), IPv6Network("2002::/16"))
"""Ways to write an IPv4 address, perhaps a private one, that count as public."""


class NotPosted(Exception):
    """The push service could not be asked; the text says why."""


def is_public(address: str) -> bool:
    found = ip_address(address.partition("%")[0])
    if isinstance(found, IPv6Address):
        if found.ipv4_mapped is not None:
            found = found.ipv4_mapped
        elif any(found in network for network in TRANSLATED):
            return False
    return found.is_global and not found.is_multicast


async def post(
    endpoint: Endpoint, headers: Mapping[str, str], body: bytes, tls: ssl.SSLContext
) -> int:
    """The status of the answer; raises NotPosted."""
    try:
        async with asyncio.timeout(SECONDS):
            reader, writer = await _connect(endpoint, tls)
            try:
                writer.write(_request(endpoint, headers, body))
                status = await reader.readline()
            finally:
                writer.transport.abort()
        _version, code, *_reason = status.split(None, 2)
        return int(code)
    except TimeoutError:
        raise NotPosted("no answer in time") from None
    except (OSError, ValueError) as error:  # a line that is too long is a ValueError, too
        raise NotPosted(str(error) or type(error).__name__) from None


async def _connect(
    endpoint: Endpoint, tls: ssl.SSLContext
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(
        endpoint.host, endpoint.port, type=SOCK_STREAM, flags=AI_ADDRCONFIG
    )
    addresses = [str(info[4][0]) for info in found]
    if not settings.PUSH_TO_PRIVATE_ADDRESSES and not all(map(is_public, addresses)):
        raise NotPosted("the name leads to a private address")
    for address in addresses[:-1]:
        with contextlib.suppress(OSError):
            return await _open(address, endpoint, tls)
    return await _open(addresses[-1], endpoint, tls)


async def _open(
    address: str, endpoint: Endpoint, tls: ssl.SSLContext
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    return await asyncio.open_connection(
        address, endpoint.port, ssl=tls, server_hostname=endpoint.host, limit=LINE_BYTES
    )


def _request(endpoint: Endpoint, headers: Mapping[str, str], body: bytes) -> bytes:
    lines = [
        f"POST {endpoint.path} HTTP/1.1",
        f"Host: {endpoint.origin.removeprefix('https://')}",
        f"Content-Length: {len(body)}",
        "Connection: close",
        *(f"{name}: {value}" for name, value in headers.items()),
    ]
    return "\r\n".join([*lines, "", ""]).encode("ascii") + body
