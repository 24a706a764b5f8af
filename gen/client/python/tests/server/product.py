"""The service that scripts/with-server.sh starts, and its command."""

from __future__ import annotations

import json
import os
import socket
import subprocess
from typing import Any

API = os.environ["API"]
TOKEN = os.environ["TOKEN"]
ACCOUNT = os.environ["ACCOUNT"]


def cardvault(*arguments: str) -> Any:
    """Run the command with --json and return its output."""
    ran = subprocess.run(["cardvault", *arguments, "--json"], capture_output=True, timeout=60, check=False)
    assert ran.returncode == 0, ran.stderr.decode()
    return json.loads(ran.stdout)


def register(url: str, *kinds: str) -> dict[str, str]:
    """Register a webhook of the account. Return it with its secret."""
    made: dict[str, str] = cardvault(
        "webhook", "register", "--account", ACCOUNT, "--url", url, "--events", ",".join(kinds)
    )
    return made


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port
