"""The explorer's server: the built page and one WebSocket per tab, for this machine alone.

It listens on 127.0.0.1, answers only to a random token, and opens a socket only for a page that it served itself.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import socket
import struct
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from ...errors import BadInput
from .bounds import MOST_SESSIONS, MOST_TEXT, MOST_UPLOAD
from .export import script
from .lanes import Lanes
from .session import Session, Stopped

HOST = "127.0.0.1"
HOSTS = (HOST, "localhost")
WAITING = 16
"""Messages that may wait for a slow page; then the work waits."""
PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>attnflow explorer</title>
<style>html,body{margin:0;height:100%}</style>
</head>
<body><af-explorer></af-explorer><script type="module" src="explorer.js"></script></body>
</html>
"""
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; connect-src 'self'; img-src data: blob:; "
    "media-src blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY, "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}  # fmt: skip


def application(token: str, opened: dict[str, Any] | None = None) -> Starlette:
    """The web application under `/TOKEN/`."""
    code, tabs = script(), Tabs(token, opened or {})

    def page(request: Request) -> Response:
        return HTMLResponse(PAGE, headers=HEADERS)

    def module(request: Request) -> Response:
        return Response(code, media_type="text/javascript", headers=HEADERS)

    def nothing(request: Request) -> Response:
        return PlainTextResponse("not found", status_code=404, headers=HEADERS)

    guarded = [Route(f"/{token}/", _guarded(page)), Route(f"/{token}/explorer.js", _guarded(module))]
    return Starlette(routes=[*guarded, WebSocketRoute(f"/{token}/session", tabs.serve), Route("/{rest:path}", nothing)])


def _guarded(answer):
    """Only requests to this machine by name: another name means that a foreign page resolved it to us."""

    def guard(request: Request) -> Response:
        if request.url.hostname not in HOSTS:
            return PlainTextResponse("not here", status_code=421)
        return answer(request)

    return guard


def is_own(origin: str | None, host: str | None) -> bool:
    """Whether a socket is opened by a page of this very server."""
    if not origin or not host:
        return False
    parts = urlsplit(origin)
    return parts.scheme == "http" and parts.netloc == host and parts.hostname in HOSTS


class Tabs:
    """The open tabs, each with a session of its own."""

    def __init__(self, token: str, opened: dict[str, Any]):
        self.token, self.opened, self.count = token, opened, 0

    async def serve(self, tab: WebSocket) -> None:
        if not is_own(tab.headers.get("origin"), tab.headers.get("host")):
            await tab.close(code=1008)
            return
        await tab.accept()
        if self.count >= MOST_SESSIONS:
            words = f"{MOST_SESSIONS} tabs are open already; close one of them"
            await tab.send_text(json.dumps({"say": "error", "id": 0, "words": words, "final": True}))
            await tab.close(code=1013)
            return
        self.count += 1
        try:
            await self._talk(tab)
        finally:
            self.count -= 1

    async def _talk(self, tab: WebSocket) -> None:
        queue: asyncio.Queue = asyncio.Queue(WAITING)
        loop, is_open = asyncio.get_running_loop(), True

        def send(words: dict[str, Any], data: bytes | None) -> None:
            if not is_open:
                raise Stopped
            waiting = asyncio.run_coroutine_threadsafe(queue.put(packed(words, data)), loop)
            while True:
                try:
                    return waiting.result(timeout=1.0)
                except TimeoutError:
                    if not is_open:
                        waiting.cancel()
                        raise Stopped from None

        lanes = Lanes(Session(self.opened), send)
        writer = asyncio.create_task(_write(tab, queue))
        try:
            while True:
                if (error := _take(await tab.receive(), lanes)) is not None:
                    with suppress(asyncio.QueueFull):
                        queue.put_nowait(packed({"say": "error", "id": 0, "words": error}, None))
        except (WebSocketDisconnect, RuntimeError):
            pass
        finally:
            is_open = False
            lanes.close()
            writer.cancel()


async def _write(tab: WebSocket, queue: asyncio.Queue) -> None:
    with suppress(WebSocketDisconnect, RuntimeError):  # the tab was closed
        while True:
            message = await queue.get()
            if isinstance(message, str):
                await tab.send_text(message)
            else:
                await tab.send_bytes(message)


def packed(words: dict[str, Any], data: bytes | None) -> str | bytes:
    """A message as it is sent: words alone as text, words and a buffer as bytes."""
    return json.dumps(words, ensure_ascii=False, allow_nan=False) if data is None else framed(words, data)


def framed(words: dict[str, Any], data: bytes) -> bytes:
    """Words and a buffer in one message: the length of the words, the words, blanks up to a multiple of 8, the buffer."""
    head = json.dumps(words, ensure_ascii=False, allow_nan=False).encode()
    head += b" " * (-(4 + len(head)) % 8)
    return struct.pack("<I", len(head)) + head + data


def unframed(message: bytes) -> tuple[Any, bytes]:
    try:
        (size,) = struct.unpack_from("<I", message)
        if size > MOST_TEXT:
            raise ValueError
        return json.loads(message[4 : 4 + size]), message[4 + size :]
    except (struct.error, ValueError, RecursionError):
        raise BadInput("a message that is not one of ours") from None


def _take(message, lanes: Lanes) -> str | None:
    """Hand one message of a page to its session; the line about one that cannot be taken."""
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect
    text, data = message.get("text"), message.get("bytes")
    try:
        if text is not None:
            if len(text) > MOST_TEXT:
                raise BadInput("the message is too long")
            lanes.put(json.loads(text))
        elif data is not None:
            lanes.put(*unframed(data))
    except (BadInput, ValueError, RecursionError) as error:
        return str(error) if isinstance(error, BadInput) else "a message that is not one of ours"
    return None


def listening(port: int) -> socket.socket:
    """A socket on this machine, before anything is printed: a port in use is one clear line."""
    found = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((HOST, port))
    except (OSError, OverflowError) as error:
        found.close()
        raise BadInput(f"port {port}: {getattr(error, 'strerror', None) or error}; --port 0 finds a free one") from None
    return found


def serve(opened: dict[str, Any] | None = None, *, port: int = 0, token: str | None = None, on_ready=None) -> None:
    """Serve the explorer until it is stopped; `on_ready(address)` is called when it listens."""
    token, place = token or secrets.token_urlsafe(24), listening(port)
    app = application(token, opened)
    config = uvicorn.Config(
        app, log_level="error", access_log=False, ws="websockets-sansio", ws_max_size=MOST_UPLOAD + MOST_TEXT,
        ws_per_message_deflate=False, ws_ping_timeout=120.0, timeout_graceful_shutdown=1, server_header=False,
    )  # fmt: skip
    address = f"http://{HOST}:{place.getsockname()[1]}/{token}/"
    place.listen()
    if on_ready is not None:
        on_ready(address)
    with place:
        uvicorn.Server(config).run(sockets=[place])
