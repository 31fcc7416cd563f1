"""The guard that privacy tests rely on refuses what it should, and only that."""

import asyncio
import socket
import urllib.request

import pytest

OUTSIDE = ("203.0.113.7", 80)


def test_an_outside_connection_is_refused_before_a_packet_is_sent(loopback_only: list[str]) -> None:
    with socket.socket() as plain, pytest.raises(PermissionError):
        plain.connect(OUTSIDE)
    with pytest.raises(PermissionError):
        socket.create_connection(("example.org", 443))
    with socket.socket(type=socket.SOCK_DGRAM) as datagram, pytest.raises(PermissionError):
        datagram.sendto(b"x", OUTSIDE)
    with pytest.raises(OSError):
        urllib.request.urlopen("http://example.org", timeout=1)
    assert len(loopback_only) == 4
    loopback_only.clear()


async def test_asyncio_cannot_leave_either(loopback_only: list[str]) -> None:
    with pytest.raises(PermissionError):
        await asyncio.open_connection(*OUTSIDE)
    assert loopback_only
    loopback_only.clear()


async def test_loopback_still_works(loopback_only: list[str]) -> None:
    server = await asyncio.start_server(lambda _, writer: writer.close(), "127.0.0.1", 0)
    async with server:
        port = server.sockets[0].getsockname()[1]
        reader, writer = await asyncio.open_connection("localhost", port)
        assert await reader.read() == b""
        writer.close()
    assert not loopback_only
