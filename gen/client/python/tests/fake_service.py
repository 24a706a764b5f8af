"""A server that sends scripted responses and records the requests."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

FAR_TOO_LONG = 10.0


@dataclass(frozen=True)
class Asked:
    """A request as it was received."""

    method: str
    target: str
    headers: dict[str, str]
    body: bytes

    @property
    def path(self) -> str:
        return urlsplit(self.target).path

    @property
    def query(self) -> dict[str, list[str]]:
        return parse_qs(urlsplit(self.target).query)

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass(frozen=True)
class Reply:
    """A response. `declared` is a wrong value for its Content-Length."""

    status: int = 200
    body: Any = None
    headers: dict[str, str] = field(default_factory=dict)
    declared: int | None = None

    def encoded(self) -> bytes:
        if self.body is None:
            return b""
        return self.body if isinstance(self.body, bytes) else json.dumps(self.body).encode()


class Hang:
    """No response until the test ends, for at most FAR_TOO_LONG seconds."""


class HangUp:
    """The server closes the connection without a response."""


class Trickle:
    """A response that is sent byte by byte and takes longer than any test waits."""


Script = Reply | Hang | HangUp | Trickle | Callable[[Asked], Reply]


class FakeService:
    """Sends the responses of `script` in order, and then repeats the last one."""

    def __init__(self) -> None:
        self.script: Sequence[Script] = []
        self.asked: list[Asked] = []
        self.arrived = threading.Semaphore(0)
        self.over = threading.Event()
        self._lock = threading.Lock()
        service = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def handle_one_request(self) -> None:
                try:
                    super().handle_one_request()
                except ConnectionError:  # the client closed the connection
                    self.close_connection = True

            def __getattr__(self, name: str) -> Callable[[], None]:
                if name.startswith("do_"):
                    return lambda: service._answer(self)
                raise AttributeError(name)

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}/api"

    def _answer(self, handler: BaseHTTPRequestHandler) -> None:
        body = handler.rfile.read(int(handler.headers.get("Content-Length", 0)))
        asked = Asked(handler.command, handler.path, dict(handler.headers.items()), body)
        with self._lock:
            self.asked.append(asked)
            step = self.script[min(len(self.asked), len(self.script)) - 1]
        self.arrived.release()
        if isinstance(step, HangUp):
            handler.close_connection = True
        elif isinstance(step, Hang):
            self.over.wait(FAR_TOO_LONG)
            handler.close_connection = True
        elif isinstance(step, Trickle):
            self._trickle(handler)
        else:
            _send(handler, step if isinstance(step, Reply) else step(asked))

    def _trickle(self, handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Length", "1000000")
        handler.end_headers()
        given_up = time.monotonic() + FAR_TOO_LONG
        while not self.over.wait(0.02) and time.monotonic() < given_up:
            handler.wfile.write(b" ")
        handler.close_connection = True

    @contextmanager
    def running(self) -> Iterator[FakeService]:
        thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield self
        finally:
            self.over.set()
            self._server.shutdown()
            thread.join()
            self._server.server_close()


def _send(handler: BaseHTTPRequestHandler, reply: Reply) -> None:
    body = reply.encoded()
    handler.send_response(reply.status)
    for name, value in reply.headers.items():
        handler.send_header(name, value)
    if reply.status not in (204, 304):
        handler.send_header("Content-Length", str(len(body) if reply.declared is None else reply.declared))
    handler.end_headers()
    handler.wfile.write(body)
    if reply.declared is not None:
        handler.close_connection = True
