"""Tests that this package, the service and the guide use the same signatures."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from product import cardvault, register
from receiver import Delivery, receiver

from cardvault import events, webhooks
from cardvault.models import EventKind

ROOT = Path(__file__).parents[5]


@pytest.fixture
def verified() -> Callable[[str, str, bytes], bool]:
    """Return the function of the guide for receivers."""
    (guide,) = (ROOT / "openapi").rglob("webhooks.md")
    blocks = re.findall(r"^```python\n(.*?)^```$", guide.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    (source,) = [block for block in blocks if "def verified(" in block]
    names: dict[str, Any] = {}
    exec(source, names)  # noqa: S102 - code of this repository
    function: Callable[[str, str, bytes], bool] = names["verified"]
    return function


def test_every_kind() -> None:
    with receiver() as (url, arrived):
        webhook = register(url, *EventKind)
        for kind in EventKind:
            cardvault("webhook", "test", webhook["id"], "--event", kind.value)
        for _ in EventKind:
            check(arrived.get(timeout=60), webhook["secret"])
        cardvault("webhook", "delete", webhook["id"])


def check(delivery: Delivery, secret: str) -> None:
    event = webhooks.unwrap(secret, delivery.headers["X-Vault-Signature"], delivery.body)
    assert not isinstance(event, events.UnknownEvent)
    assert event.event == delivery.headers["X-Vault-Event"]
    made = webhooks.sign_test_payload(secret, event)
    assert made.body == delivery.body
    said = {name: value for name, value in delivery.headers.items() if name in made.headers}
    assert {**said, "X-Vault-Signature": ""} == {**made.headers, "X-Vault-Signature": ""}
    with pytest.raises(webhooks.SignatureError):
        webhooks.verify(secret, delivery.headers["X-Vault-Signature"], delivery.body + b"\n")


def test_both_secrets_while_one_is_rotated() -> None:
    with receiver() as (url, arrived):
        webhook = register(url, "batch.completed")
        rotated = cardvault("webhook", "rotate-secret", webhook["id"])
        cardvault("webhook", "test", webhook["id"])
        delivery = arrived.get(timeout=60)
        header = delivery.headers["X-Vault-Signature"]
        assert header.count("v1=") == 2
        for secret in (webhook["secret"], rotated["secret"]):
            webhooks.verify(secret, header, delivery.body)
        cardvault("webhook", "delete", webhook["id"])


def test_the_guides_function_believes_a_test_payload(verified: Callable[[str, str, bytes], bool]) -> None:
    delivery = webhooks.sign_test_payload("whsec_any", {"event": "card.lent", "data": {"to": "Füchse"}})
    header = delivery.headers["X-Vault-Signature"]
    assert verified("whsec_any", header, delivery.body)
    assert not verified("whsec_other", header, delivery.body)
    assert not verified("whsec_any", header, delivery.body + b" ")
