"""Receiving webhooks: is a delivery CardVault's, what does it tell, and one of your own to test a receiver with.

Nothing here needs a client or a network.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from enum import Enum
from typing import Any

from ._answer import MALFORMED
from .errors import CardVaultError
from .events import Event, parse_event

__all__ = ["SIGNATURE_HEADER", "Refusal", "SignatureError", "TestDelivery", "sign_test_payload", "unwrap", "verify"]

SIGNATURE_HEADER = "X-Vault-Signature"
TOLERANCE = timedelta(minutes=5)
IDENTIFIER_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
LONGEST_STAMP = 12  # digits: enough for 30,000 years, and short enough for int() to be quick


class Refusal(Enum):
    """Why a delivery is not to be believed."""

    MALFORMED = "malformed"
    """The header is missing or has not the form t=…,v1=…."""
    MISMATCH = "mismatch"
    """No signature is by this secret over this body."""
    EXPIRED = "expired"
    """The signature is right but too old: somebody may be sending again what they once overheard."""
    FUTURE = "future"
    """The signature is right but made too far in the future: one of the clocks is wrong."""


class SignatureError(CardVaultError):
    """A delivery that is not to be believed: answer 400 and do nothing else."""

    def __init__(self, reason: Refusal, message: str) -> None:
        super().__init__(message)
        self.args = (reason, message)  # what it is made of anew where it is pickled
        self.reason = reason


def verify(
    secret: str,
    header: str | None,
    body: bytes,
    tolerance: timedelta = TOLERANCE,
    *,
    now: Callable[[], float] = time.time,
) -> None:
    """Return if the delivery came from CardVault within `tolerance`, else raise SignatureError.

    Args:
        secret: The endpoint's, as it was shown, `whsec_` included.
        header: The value of X-Vault-Signature; None if there is none. It can hold several signatures.
        body: The raw body, before anything parsed it.
        tolerance: How old the signature may be, or how far in the future.
        now: The clock, in seconds since the Unix epoch.
    """
    if not secret:
        raise ValueError("secret is empty: give the endpoint's, whsec_…")
    if not isinstance(body, (bytes, bytearray)):
        raise TypeError("body is not bytes: the signature covers the raw body, before anything decoded or parsed it")
    stamp, signatures = _parse(header or "")
    want = _digest(secret, stamp, body)
    matches = [hmac.compare_digest(signature, want) for signature in signatures]
    if not any(matches):
        raise SignatureError(
            Refusal.MISMATCH, "The signature does not match: check the secret, and that body is the raw body"
        )
    age = now() - int(stamp)
    if age > tolerance.total_seconds():
        raise SignatureError(Refusal.EXPIRED, f"The signature is {age:.0f} seconds old")
    if -age > tolerance.total_seconds():
        raise SignatureError(Refusal.FUTURE, f"The signature is {-age:.0f} seconds in the future: check the clock")


def unwrap(
    secret: str,
    header: str | None,
    body: bytes,
    tolerance: timedelta = TOLERANCE,
    *,
    now: Callable[[], float] = time.time,
) -> Event:
    """The event that a delivery tells of, verified as `verify` does.

    Raises SignatureError, or CardVaultError where the body is signed but not an event.
    """
    verify(secret, header, body, tolerance, now=now)
    try:
        return parse_event(json.loads(body))
    except MALFORMED as error:
        raise CardVaultError("The delivery is signed as it should be but is not an event") from error


@dataclass(frozen=True)
class TestDelivery:
    """What the service would send: POST `body` with `headers` to your receiver."""

    __test__ = False  # not a test case, whatever pytest thinks of its name

    body: bytes
    headers: dict[str, str]


def sign_test_payload(
    secret: str,
    event: Event | Mapping[str, Any],
    *,
    attempt: int = 1,
    now: Callable[[], float] = time.time,
) -> TestDelivery:
    """A delivery of the event as the service makes it, signed now, for a receiver's own tests.

    Args:
        secret: Any; the receiver must be given the same.
        event: A model of `cardvault.events`, or the envelope as a mapping. What a mapping lacks besides `event` and
            `data` is made up.
        attempt: Which attempt the delivery says it is, from 1.
        now: The clock, in seconds since the Unix epoch.
    """
    envelope = _completed(event, now()) if isinstance(event, Mapping) else event.to_dict()
    body = json.dumps(envelope, ensure_ascii=False, separators=(",", ":")).encode()
    stamp = str(int(now()))
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "CardVault-Webhooks/1",
        "X-Vault-Event": str(envelope["event"]),
        "X-Vault-Event-Id": str(envelope["id"]),
        "X-Vault-Delivery-Attempt": str(attempt),
        SIGNATURE_HEADER: f"t={stamp},v1={_digest(secret, stamp, body).hex()}",
    }
    return TestDelivery(body, headers)


def _completed(event: Mapping[str, Any], now: float) -> dict[str, Any]:
    made_up = {
        "id": "evt_0" + "".join(random.choices(IDENTIFIER_ALPHABET, k=25)),
        "event": event["event"],
        "created_at": datetime.fromtimestamp(now, timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ"),
        "account_id": "acc_" + "0" * 26,
    }
    return {**made_up, **event}


def _digest(secret: str, stamp: str, body: bytes) -> bytes:
    return hmac.new(secret.encode(), stamp.encode() + b"." + body, hashlib.sha256).digest()


def _parse(header: str) -> tuple[str, list[bytes]]:
    """The time stamp and all the v1 signatures; other schemes may be added and are passed over."""
    parts = [part.strip().partition("=") for part in header.split(",")]
    stamps = [value for name, _, value in parts if name == "t"]
    signatures = [_from_hex(value) for name, _, value in parts if name == "v1"]
    if len(stamps) != 1 or not _is_stamp(stamps[0]) or not signatures:
        raise SignatureError(Refusal.MALFORMED, f"The {SIGNATURE_HEADER} header has not the form t=…,v1=…")
    return stamps[0], signatures


def _is_stamp(value: str) -> bool:
    return value.isascii() and value.isdigit() and len(value) <= LONGEST_STAMP


def _from_hex(value: str) -> bytes:
    try:
        return bytes.fromhex(value)
    except ValueError:
        return b""
