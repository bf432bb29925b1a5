"""A proxy that logs in for a client which cannot: the conformance suite has no option for a header."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from aiohttp import ClientSession, ClientTimeout, hdrs, web
from multidict import CIMultiDict, CIMultiDictProxy

# They belong to one connection, or are worked out anew for it.
_PER_CONNECTION = frozenset(
    ("connection", "keep-alive", "transfer-encoding", "content-length")
)


def _end_to_end(headers: CIMultiDictProxy[str]) -> CIMultiDict[str]:
    return CIMultiDict(
        (name, value)
        for name, value in headers.items()
        if name.lower() not in _PER_CONNECTION
    )


@asynccontextmanager
async def serve(app: web.Application) -> AsyncIterator[int]:
    """Serve an application as Home Assistant serves itself, on a free port of this machine, and give the port."""
    runner = web.AppRunner(
        app, handler_cancellation=True, shutdown_timeout=2, access_log=None
    )
    await runner.setup()
    try:
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        port: int = runner.addresses[0][1]
        yield port
    finally:
        await runner.cleanup()


@asynccontextmanager
async def authorizing_proxy(address: str, token: str) -> AsyncIterator[str]:
    """Give the address of a proxy for `address` that adds the token to each request."""
    async with ClientSession(
        timeout=ClientTimeout(total=None), auto_decompress=False
    ) as session:

        async def forward(request: web.Request) -> web.StreamResponse:
            headers = _end_to_end(request.headers)
            headers[hdrs.AUTHORIZATION] = f"Bearer {token}"
            async with session.request(
                request.method, address, headers=headers, data=await request.read()
            ) as answer:
                response = web.StreamResponse(
                    status=answer.status, headers=_end_to_end(answer.headers)
                )
                # The suite closes streams that it has seen enough of.
                with suppress(ConnectionError):
                    await response.prepare(request)
                    async for chunk in answer.content.iter_any():
                        await response.write(chunk)
                    await response.write_eof()
                return response

        app = web.Application()
        app.router.add_route("*", "/mcp", forward)
        async with serve(app) as port:
            yield f"http://localhost:{port}/mcp"
