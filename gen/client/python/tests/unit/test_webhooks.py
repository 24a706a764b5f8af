"""Tests of the verification and parsing of deliveries."""

from __future__ import annotations

import hashlib
import hmac
import json
import pickle
import re
from collections.abc import Callable
from datetime import datetime, timedelta, timezone

import pytest
from documents import ACCOUNT_ID, CARD_ID, EVENT_ID, event, money

from cardvault import CardVaultError, events, webhooks
from cardvault.webhooks import Refusal, SignatureError, sign_test_payload, unwrap, verify

SECRET = "whsec_c2VjcmV0"
SIGNED_AT = 1778513521
BODY = b'{"id":"evt_1","name":"\xc3\xa9"}'


def clock(offset: float = 0.0) -> Callable[[], float]:
    return lambda: SIGNED_AT + offset


def signature(secret: str = SECRET, body: bytes = BODY, stamp: str = str(SIGNED_AT)) -> str:
    return hmac.new(secret.encode(), stamp.encode() + b"." + body, hashlib.sha256).hexdigest()


def refusal(header: str | None, body: bytes = BODY, *, offset: float = 0.0, secret: str = SECRET) -> Refusal:
    with pytest.raises(SignatureError) as raised:
        verify(secret, header, body, now=clock(offset))
    assert isinstance(raised.value, CardVaultError)
    return raised.value.reason


def test_a_delivery() -> None:
    verify(SECRET, f"t={SIGNED_AT},v1={signature()}", BODY, now=clock())


def test_a_vector_that_was_computed_elsewhere() -> None:
    """Computed with: printf '%s' '1778513521.{"a":1}' | openssl dgst -sha256 -hmac whsec_c2VjcmV0."""
    digest = "0686c0a9a971bc87febd29166e5dbdf9d186e06e419fa2c9396445328dee9dce"
    verify(SECRET, f"t=1778513521,v1={digest}", b'{"a":1}', now=clock())


@pytest.mark.parametrize(
    "header",
    [
        "t={t},v1={wrong},v1={right}",
        "t={t},v1={right},v1={wrong}",
        "t={t},v1=zz,v1={right}",
        "t={t}, v1={right}",
        "v1={right},t={t}",
        "t={t},v0=abc,v1={right},v2=def",
    ],
)
def test_one_right_signature_is_enough(header: str) -> None:
    filled = header.format(t=SIGNED_AT, right=signature(), wrong=signature("whsec_old"))
    verify(SECRET, filled, BODY, now=clock())


@pytest.mark.parametrize(
    "header",
    [
        None,
        "",
        "t={t}",
        "v1={right}",
        "t=,v1={right}",
        "t=soon,v1={right}",
        "t=-1,v1={right}",
        "t=\u0661,v1={right}",
        "t={t},t={t},v1={right}",
        "t=1{t}000000000,v1={right}",
        "{right}",
    ],
)
def test_malformed(header: str | None) -> None:
    assert refusal(header and header.format(t=SIGNED_AT, right=signature())) is Refusal.MALFORMED


def test_tampered() -> None:
    header = f"t={SIGNED_AT},v1={signature()}"
    assert refusal(header, BODY + b" ") is Refusal.MISMATCH
    assert refusal(header, BODY.replace(b"1", b"2")) is Refusal.MISMATCH
    assert refusal(header, secret="whsec_other") is Refusal.MISMATCH
    assert refusal(f"t={SIGNED_AT + 1},v1={signature()}") is Refusal.MISMATCH
    assert refusal(f"t={SIGNED_AT},v1=") is Refusal.MISMATCH
    assert refusal(f"t={SIGNED_AT},v1={signature()[:-2]}") is Refusal.MISMATCH
    assert refusal(f"t={SIGNED_AT},v0={signature()},v1={'0' * 64}") is Refusal.MISMATCH


def test_the_window() -> None:
    header = f"t={SIGNED_AT},v1={signature()}"
    for offset in (-300, 300):
        verify(SECRET, header, BODY, now=clock(offset))
    assert refusal(header, offset=301) is Refusal.EXPIRED
    assert refusal(header, offset=-301) is Refusal.FUTURE
    verify(SECRET, header, BODY, timedelta(hours=1), now=clock(3600))
    with pytest.raises(SignatureError, match="6 seconds old"):
        verify(SECRET, header, BODY, timedelta(seconds=5), now=clock(6))


def test_a_wrong_signature_is_not_called_old() -> None:
    assert refusal(f"t=1,v1={signature()}") is Refusal.MISMATCH


def test_the_clock_is_the_systems() -> None:
    delivery = sign_test_payload(SECRET, event())
    verify(SECRET, delivery.headers["X-Vault-Signature"], delivery.body)
    with pytest.raises(SignatureError, match="seconds old"):
        verify(SECRET, f"t={SIGNED_AT - 10**8},v1={signature(stamp=str(SIGNED_AT - 10**8))}", BODY)


def test_misuse() -> None:
    with pytest.raises(TypeError, match="raw body"):
        verify(SECRET, "t=1,v1=00", "{}")  # type: ignore[arg-type] # the test passes a wrong type
    with pytest.raises(ValueError, match="secret is empty"):
        verify("", "t=1,v1=00", b"{}")


def test_a_refusal_goes_through_a_queue() -> None:
    told = SignatureError(Refusal.EXPIRED, "The signature is 400 seconds old")
    again = pickle.loads(pickle.dumps(told))  # noqa: S301
    assert (again.reason, str(again)) == (told.reason, str(told))


def signed(document: object) -> tuple[str, bytes]:
    body = json.dumps(document).encode()
    return f"t={SIGNED_AT},v1={signature(body=body)}", body


def test_unwrapped() -> None:
    got = unwrap(SECRET, *signed(event()), now=clock())
    assert isinstance(got, events.CardPricedEvent)
    assert (got.id, got.data.card_id, got.data.asking_price.amount) == (EVENT_ID, CARD_ID, 1250)


def test_a_kind_that_is_new() -> None:
    got = unwrap(SECRET, *signed(event("card.lent", to="Mo")), now=clock())
    assert isinstance(got, events.UnknownEvent)
    assert got.data["to"] == "Mo"


def test_unwrap_verifies() -> None:
    header, body = signed(event())
    with pytest.raises(SignatureError):
        unwrap(SECRET, header, body + b" ", now=clock())
    with pytest.raises(SignatureError):
        unwrap(SECRET, header, body, now=clock(301))


@pytest.mark.parametrize("document", [[], "event", {}, {"event": "card.priced"}])
def test_signed_but_no_event(document: object) -> None:
    with pytest.raises(CardVaultError, match="not an event") as raised:
        unwrap(SECRET, *signed(document), now=clock())
    assert not isinstance(raised.value, SignatureError)


def test_signed_but_no_json() -> None:
    with pytest.raises(CardVaultError, match="not an event"):
        unwrap(SECRET, f"t={SIGNED_AT},v1={signature()}", BODY, now=clock())


def test_a_payload_for_tests_is_as_the_service_sends_it() -> None:
    document = event()
    delivery = sign_test_payload(SECRET, events.parse_event(document), attempt=3, now=clock())
    assert delivery.body == json.dumps(document, separators=(",", ":")).encode()
    assert delivery.headers == {
        "Content-Type": "application/json",
        "User-Agent": "CardVault-Webhooks/1",
        "X-Vault-Event": "card.priced",
        "X-Vault-Event-Id": EVENT_ID,
        "X-Vault-Delivery-Attempt": "3",
        "X-Vault-Signature": f"t={SIGNED_AT},v1={signature(body=delivery.body)}",
    }


def test_a_payload_from_a_mapping_comes_out_again() -> None:
    document = event("card.identified", title="Füchse <&>")
    delivery = sign_test_payload(SECRET, document, now=clock())
    got = unwrap(SECRET, delivery.headers[webhooks.SIGNATURE_HEADER], delivery.body, now=clock())
    assert isinstance(got, events.CardIdentifiedEvent)
    assert got.data.title == "Füchse <&>"


def test_an_event_made_by_hand() -> None:
    made = events.UnknownEvent(
        id=EVENT_ID,
        event="card.lent",
        created_at=events.parse_event(event()).created_at,
        account_id=ACCOUNT_ID,
        data={"price": money()},
    )
    delivery = sign_test_payload(SECRET, made)
    assert unwrap(SECRET, delivery.headers["X-Vault-Signature"], delivery.body) == made


def test_what_an_event_lacks_is_made_up() -> None:
    data = event()["data"]
    deliveries = [sign_test_payload(SECRET, {"event": "card.priced", "data": data}, now=clock()) for _ in "12"]
    first, second = (unwrap(SECRET, one.headers["X-Vault-Signature"], one.body, now=clock()) for one in deliveries)
    assert isinstance(first, events.CardPricedEvent)
    assert first.data.asking_price.amount == 1250
    assert first.created_at == datetime.fromtimestamp(SIGNED_AT, timezone.utc)
    assert re.fullmatch("evt_[0-7][0-9a-hjkmnp-tv-z]{25}", first.id)
    assert re.fullmatch("acc_0{26}", first.account_id)
    assert first.id != second.id
    assert list(json.loads(deliveries[0].body)) == ["id", "event", "created_at", "account_id", "data"]
