"""For receivers of webhooks: verifies deliveries, parses their events, and signs test deliveries.

This module needs neither a client nor the network.
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
LONGEST_STAMP = 12  # digits: enough for 30,000 years, and few enough that int() is fast


class Refusal(Enum):
    """Why a delivery is not authentic."""

    MALFORMED = "malformed"
    """The header is missing or not of the form t=…,v1=…."""
    MISMATCH = "mismatch"
    """No signature matches the secret and the body."""
    EXPIRED = "expired"
    """The signature is correct but too old: an attacker may be replaying an intercepted delivery."""
    FUTURE = "future"
    """The signature is correct but too far in the future: one of the clocks is wrong."""


class SignatureError(CardVaultError):
    """The delivery is not authentic. Respond with status 400 and do nothing else."""

    def __init__(self, reason: Refusal, message: str) -> None:
        super().__init__(message)
        self.args = (reason, message)  # the arguments with which unpickling calls the constructor
        self.reason = reason


def verify(
    secret: str,
    header: str | None,
    body: bytes,
    tolerance: timedelta = TOLERANCE,
    *,
    now: Callable[[], float] = time.time,
) -> None:
    """Verify that CardVault signed the body within `tolerance`. Raise SignatureError otherwise.

    Args:
        secret: The secret of the endpoint, including `whsec_`.
        header: The value of X-Vault-Signature; None if there is none. It can contain several signatures.
        body: The unchanged bytes of the body.
        tolerance: The maximum difference between the time of the signature and now.
        now: The clock, in seconds since the Unix epoch.
    """
    if not secret:
        raise ValueError("secret is empty: give the secret of the endpoint, whsec_…")
    if not isinstance(body, (bytes, bytearray)):
        raise TypeError("body is not bytes: give the raw body, before anything decodes or parses it")
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
    """Verify a delivery like `verify` and return its event.

    Raises SignatureError, or CardVaultError if the signature is correct but the body is not an event.
    """
    verify(secret, header, body, tolerance, now=now)
    try:
        return parse_event(json.loads(body))
    except MALFORMED as error:
        raise CardVaultError("The signature is correct, but the body is not an event") from error


@dataclass(frozen=True)
class TestDelivery:
    """A delivery as the service sends it. POST `body` with `headers` to your receiver."""

    __test__ = False  # not a test case, although its name begins with Test

    body: bytes
    headers: dict[str, str]


def sign_test_payload(
    secret: str,
    event: Event | Mapping[str, Any],
    *,
    attempt: int = 1,
    now: Callable[[], float] = time.time,
) -> TestDelivery:
    """Sign a delivery of an event as the service does, for the tests of a receiver.

    Args:
        secret: Any secret. The receiver must use the same one.
        event: A model of `cardvault.events`, or the envelope as a mapping with `event` and `data`. The other fields
            get values if the mapping lacks them.
        attempt: The number of the attempt, from 1.
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
    """Return the timestamp and all v1 signatures. Other schemes are ignored, because the service may add some."""
    parts = [part.strip().partition("=") for part in header.split(",")]
    stamps = [value for name, _, value in parts if name == "t"]
    signatures = [_from_hex(value) for name, _, value in parts if name == "v1"]
    if len(stamps) != 1 or not _is_stamp(stamps[0]) or not signatures:
        raise SignatureError(Refusal.MALFORMED, f"The {SIGNATURE_HEADER} header is missing or not of the form t=…,v1=…")
    return stamps[0], signatures


def _is_stamp(value: str) -> bool:
    return value.isascii() and value.isdigit() and len(value) <= LONGEST_STAMP


def _from_hex(value: str) -> bytes:
    try:
        return bytes.fromhex(value)
    except ValueError:
        return b""
