"""An account of its own, in which the example programs run."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx
from product import API, cardvault

from cardvault import CardVault
from cardvault.models import Card, Marketplace, PhotoRole, WorkflowStatus

EXAMPLES = Path(__file__).parents[2] / "examples"
PYTHON = os.environ.get("CARDVAULT_PYTHON", sys.executable)
LIMITS = "read=1000000,write=1000000,ai=1000000"


@dataclass(frozen=True)
class Shop:
    """An empty account."""

    client: CardVault
    token: str

    def command(self, name: str, *arguments: str | Path, api: str = API) -> list[str]:
        """Return the command that runs an example program, with its environment."""
        program = str(EXAMPLES / f"{name}.py")
        settings = ["env", f"API={api}", f"TOKEN={self.token}"]
        return [*settings, PYTHON, "-W", "error", "-X", "dev", program, *map(str, arguments)]

    def run(self, name: str, *arguments: str | Path, api: str = API) -> list[str]:
        """Run an example program, which must succeed. Return the lines that it prints."""
        ran = start(self.command(name, *arguments, api=api))
        assert ran.returncode == 0, ran.stdout + ran.stderr
        return ran.stdout.splitlines()

    def publish(self, *cards: Card, photo: bytes) -> None:
        """Publish the cards with a photo, and wait until they are listed."""
        ids = [card.id for card in cards]
        for card_id in ids:
            self.client.put_card_photo(card_id, PhotoRole.FRONT, photo)
        for result in self.client.bulk_publish(ids, marketplace=Marketplace.SANDBOX):
            assert not result.error, result
        until(lambda: len(self.client.list_cards(ids=ids, status=[WorkflowStatus.LISTED]).data) == len(ids))


def start(command: list[str]) -> subprocess.CompletedProcess[str]:
    """Run a command to its end, without input."""
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120, check=False)


def until(holds: Callable[[], bool]) -> None:
    """Poll until the condition holds, for at most 30 seconds."""
    deadline = time.monotonic() + 30
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.05)


@contextmanager
def new_shop() -> Iterator[Shop]:
    """Create an account."""
    account = cardvault("account", "create", "--name", "Examples", "--sandbox")["id"]
    token = cardvault("token", "create", "--account", account, "--name", "examples", "--limits", LIMITS)["token"]
    with CardVault(API, token) as client:
        yield Shop(client, token)


class Gate:
    """Forwards GET requests to the service and counts them. It holds back the requests after the first ones."""

    def __init__(self, first: int) -> None:
        self.count = 0
        self.held = threading.Event()
        """Set when a request is held back."""
        self.closed = threading.Event()
        self._first = first

    def forward(self, request: BaseHTTPRequestHandler) -> None:
        """Answer a request."""
        self.count += 1
        if self.count > self._first:
            self.held.set()
            self.closed.wait()
            return
        headers = {"Authorization": request.headers["Authorization"]}
        answer = httpx.get(API.removesuffix("/api") + request.path, headers=headers, timeout=60)
        request.send_response(answer.status_code)
        request.send_header("Content-Type", answer.headers["Content-Type"])
        request.send_header("Content-Length", str(len(answer.content)))
        request.end_headers()
        request.wfile.write(answer.content)


@contextmanager
def gate(first: int) -> Iterator[tuple[str, Gate]]:
    """Run a gate. Yield its URL too."""
    made = Gate(first)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            made.forward(self)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/api", made
    finally:
        made.closed.set()
        server.shutdown()
        thread.join()
        server.server_close()
