"""A receiver of webhooks."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, HTTPServer


@dataclass(frozen=True)
class Delivery:
    """A delivery as it was received."""

    headers: dict[str, str]
    body: bytes


@contextmanager
def receiver() -> Iterator[tuple[str, queue.Queue[Delivery]]]:
    """Run a receiver. Yield its URL and the queue of its deliveries."""
    arrived: queue.Queue[Delivery] = queue.Queue()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(204)
            self.end_headers()
            arrived.put(Delivery(dict(self.headers.items()), body))

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/", arrived
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
