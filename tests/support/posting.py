"""A server on loopback that answers POST requests to one path."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from aiohttp import web


@contextmanager
def server(answer: Callable[[dict[str, object]], web.StreamResponse]) -> Iterator[str]:
    """Serves while the block runs; yields its address."""
    ready, over, address = threading.Event(), [], []

    async def handle(request: web.Request) -> web.StreamResponse:
        return answer(await request.json())

    async def serve() -> None:
        app = web.Application()
        app.add_routes([web.post("/search", handle)])
        runner = web.AppRunner(app, shutdown_timeout=0.1)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        address.append(f"http://127.0.0.1:{runner.addresses[0][1]}/search")
        over.append((asyncio.get_running_loop(), asyncio.Event()))
        ready.set()
        await over[0][1].wait()
        await runner.cleanup()

    thread = threading.Thread(target=lambda: asyncio.run(serve()), daemon=True)
    thread.start()
    assert ready.wait(10)
    try:
        yield address[0]
    finally:
        over[0][0].call_soon_threadsafe(over[0][1].set)
        thread.join()
