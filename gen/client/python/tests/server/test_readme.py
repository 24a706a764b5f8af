"""Tests of the types and the output of the examples in the README. CARDVAULT_PYTHON is the Python that runs them."""

from __future__ import annotations

import os
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import pytest
from product import cardvault, free_port, register
from readme import TOUR, programs

PYTHON = os.environ.get("CARDVAULT_PYTHON", sys.executable)
STRICT = [PYTHON, "-W", "error", "-X", "dev"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("readme")
    for name, text in programs().items():
        (made / name).write_text(text, encoding="utf-8")
    return made


def run(folder: Path, *arguments: str, **environment: str) -> str:
    ran = subprocess.run(
        arguments,
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


def test_types(folder: Path) -> None:
    checker = [sys.executable, "-m", "mypy", "--strict", "--python-executable", PYTHON, "--python-version", "3.10"]
    run(folder, *checker, "--cache-dir", str(folder / ".mypy"), *programs())


def test_tour(folder: Path) -> None:
    lines = run(folder, *STRICT, TOUR).splitlines()
    (kit,) = [line for line in lines if line.startswith("Smoulderpaw Kit priced ")]
    version = kit.split()[-1]
    assert f"changed: Smoulderpaw Kit {version}" in lines
    assert any(line.startswith("card_") and line.endswith("Smoulderpaw Kit") for line in lines)
    assert any(line.startswith("Take a photo first: ") for line in lines)
    assert "now costs 4.75" in lines
    batches = [line for line in lines if line.startswith("bat_")]
    assert len(batches) == 2
    assert len(set(batches)) == 1
    assert "20" in lines
    assert int(lines[-1].removesuffix(" cards")) > 20


def pump(output: IO[str], lines: queue.Queue[str]) -> None:
    for line in output:
        lines.put(line.strip())


@pytest.fixture
def receiver(folder: Path) -> Iterator[tuple[str, queue.Queue[str]]]:
    """Run the receiver of the README. Yield the identifier of its webhook and the queue of its output lines."""
    port = free_port()
    webhook = register(f"http://127.0.0.1:{port}/", "listing.sold", "batch.completed")
    environment = {**os.environ, "SECRET": webhook["secret"], "PORT": str(port)}
    with subprocess.Popen(
        [*STRICT, "receiver.py"], cwd=folder, env=environment, stdout=subprocess.PIPE, text=True
    ) as run:
        lines: queue.Queue[str] = queue.Queue()
        thread = threading.Thread(target=pump, args=(run.stdout, lines))
        thread.start()
        assert lines.get(timeout=30) == f"listening on port {port}"
        yield webhook["id"], lines
        run.terminate()
        thread.join()
    cardvault("webhook", "delete", webhook["id"])


def test_receiver(receiver: tuple[str, queue.Queue[str]]) -> None:
    webhook, lines = receiver
    for kind, words in [("listing.sold", "sold: "), ("batch.completed", "received: batch.completed")]:
        cardvault("webhook", "test", webhook, "--event", kind)
        assert lines.get(timeout=60).startswith(words)


def test_test_of_the_receiver(folder: Path) -> None:
    program = "import test_receiver; test_receiver.test_receive()"
    assert run(folder, *STRICT, "-c", program, SECRET="whsec_any").splitlines() == [
        "received: batch.completed",
        "refused: The signature does not match: check the secret, and that body is the raw body",
    ]
