"""Tests of the form of scan_cards."""

from __future__ import annotations

import email.message
import email.parser
import email.policy
import io
from pathlib import Path

import pytest
from callers import Caller
from conftest import MakeCaller
from documents import card
from fake_service import Asked, FakeService, Reply

from cardvault import CardVaultTimeoutError, ScanPhoto
from cardvault._call import UPLOAD_RATE
from cardvault.models import Condition, Game, ScanPairing, ScanStatus

RESULTS = Reply(body={"data": []})


def parts(asked: Asked) -> list[tuple[str | None, str | None, bytes]]:
    """Return the name, the file name and the content of each part."""
    head = f"Content-Type: {asked.headers['Content-Type']}\r\n\r\n".encode()
    policy = email.policy.HTTP
    message = email.parser.BytesParser(policy=policy).parsebytes(head + asked.body)
    found = []
    for part in message.iter_parts():
        assert isinstance(part, email.message.EmailMessage)
        parameters = part["Content-Disposition"].params
        content = part.get_payload(decode=True)
        assert isinstance(content, bytes)
        found.append((parameters["name"], parameters.get("filename"), content))
    return found


def test_every_kind_of_photo(service: FakeService, caller: Caller, tmp_path: Path) -> None:
    service.script = [RESULTS]
    front, back = tmp_path / "front.jpg", tmp_path / "back.jpg"
    front.write_bytes(b"front")
    back.write_bytes(b"back\r\n")
    with back.open("rb") as opened:
        photos: list[ScanPhoto] = [str(front), front, opened, ("a.jpg", b"\xff\xd8"), ("b.jpg", io.BytesIO(b""))]
        caller.call("scan_cards", photos=photos)
    asked = service.asked[0]
    assert (asked.method, asked.path) == ("POST", "/api/cards/scan")
    assert asked.headers["Idempotency-Key"]
    assert parts(asked) == [
        ("photos", "front.jpg", b"front"),
        ("photos", "front.jpg", b"front"),
        ("photos", "back.jpg", b"back\r\n"),
        ("photos", "a.jpg", b"\xff\xd8"),
        ("photos", "b.jpg", b""),
    ]


def test_fields(service: FakeService, caller: Caller) -> None:
    service.script = [Reply(body={"data": [{"files": ["a.jpg"], "status": "created", "card": card(), "error": None}]})]
    results = caller.call(
        "scan_cards",
        photos=[("a.jpg", b"x")],
        pairing=ScanPairing.ORDER,
        location="Füchse/2",
        condition=Condition.NM,
        game=Game.POKEMON,
        idempotency_key="scan-1",
    )
    asked = service.asked[0]
    assert asked.headers["Idempotency-Key"] == "scan-1"
    sent = {name: content.decode() for name, _, content in parts(asked)}
    assert sent == {
        "photos": "x",
        "pairing": "order",
        "location": "Füchse/2",
        "condition": "NM",
        "game": "pokemon",
    }
    (result,) = results.data
    assert (result.files, result.status, result.card.id) == (["a.jpg"], ScanStatus.CREATED, card()["id"])


def test_a_retry_sends_the_same_bytes(service: FakeService, caller: Caller) -> None:
    service.script = [Reply(503), RESULTS]
    caller.call("scan_cards", photos=[("a.jpg", io.BytesIO(b"x"))])
    first, second = service.asked
    assert first.body == second.body
    assert b"x" in first.body
    assert first.headers["Content-Type"] == second.headers["Content-Type"]


def test_quotation_marks_in_a_name(service: FakeService, caller: Caller) -> None:
    service.script = [RESULTS]
    caller.call("scan_cards", photos=[('a"\r\nb.jpg', b"x")])
    assert b'filename="a%22%0D%0Ab.jpg"' in service.asked[0].body


def test_a_photo_without_a_name(service: FakeService, caller: Caller) -> None:
    with pytest.raises(ValueError, match="has no file name"):
        caller.call("scan_cards", photos=[io.BytesIO(b"x")])
    assert not service.asked


def test_a_missing_file(service: FakeService, caller: Caller, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        caller.call("scan_cards", photos=[tmp_path / "none.jpg"])
    assert not service.asked


def test_the_upload_extends_the_timeout(service: FakeService, make_caller: MakeCaller) -> None:
    def slow(asked: Asked) -> Reply:
        service.over.wait(0.3)
        return RESULTS

    service.script = [slow]
    hasty = make_caller(timeout=0.2, max_retries=0)
    hasty.call("scan_cards", photos=[("a.jpg", bytes(UPLOAD_RATE))])
    with pytest.raises(CardVaultTimeoutError):
        hasty.call("scan_cards", photos=[("a.jpg", b"x")])
