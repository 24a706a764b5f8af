"""Tests of retries and their pauses."""

from __future__ import annotations

import ssl
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from email.utils import format_datetime
from typing import Any

import httpx
import pytest
from callers import TOKEN, Caller
from conftest import MakeCaller
from documents import CARD_ID, batch, card, error
from fake_service import FakeService, Hang, HangUp, Reply, Trickle

from cardvault import CardVault, CardVaultConnectionError, CardVaultError, CardVaultTimeoutError, ErrorCode

BUSY = error(503, "unavailable")
CARD = Reply(body=card())


@pytest.mark.parametrize("status", [429, 502, 503])
def test_what_passes_is_sent_again(service: FakeService, caller: Caller, status: int) -> None:
    service.script = [Reply(status), Reply(status), CARD]
    assert caller.call("get_card", CARD_ID).id == CARD_ID
    assert caller.pauses == [0.5, 1.0]


@pytest.mark.parametrize("status", [301, 400, 401, 404, 409, 412, 422, 500, 501, 504])
def test_what_does_not_pass_is_sent_once(service: FakeService, caller: Caller, status: int) -> None:
    service.script = [Reply(status)]
    with pytest.raises(CardVaultError) as raised:
        caller.call("get_card", CARD_ID)
    assert raised.value.status == status
    assert len(service.asked) == 1


def test_pauses_double_up_to_eight_seconds(service: FakeService, make_caller: MakeCaller) -> None:
    service.script = [BUSY] * 7 + [CARD]
    caller = make_caller(max_retries=7)
    caller.call("get_card", CARD_ID)
    assert caller.pauses == [0.5, 1.0, 2.0, 4.0, 8.0, 8.0, 8.0]


def test_pauses_are_a_random_part() -> None:
    answers = iter([httpx.Response(503), httpx.Response(503), httpx.Response(200, json=card())])
    pauses: list[float] = []
    draws = iter([0.25, 0.0])
    with httpx.Client(transport=httpx.MockTransport(lambda _: next(answers))) as http:
        client = CardVault("http://vault.example/api", TOKEN, http_client=http)
        client._sleep = pauses.append
        client._draw = lambda: next(draws)
        client.get_card(CARD_ID)
    assert pauses == [0.125, 0.0]


def test_gives_the_last_error_when_tries_run_out(service: FakeService, caller: Caller) -> None:
    service.script = [Reply(502), Reply(502), Reply(502), BUSY]
    with pytest.raises(CardVaultError) as raised:
        caller.call("get_card", CARD_ID)
    assert raised.value.code == ErrorCode.UNAVAILABLE
    assert len(service.asked) == 4


def test_no_retries_where_none_are_wanted(service: FakeService, make_caller: MakeCaller) -> None:
    service.script = [BUSY, CARD]
    with pytest.raises(CardVaultError):
        make_caller(max_retries=0).call("get_card", CARD_ID)
    assert len(service.asked) == 1


@pytest.mark.parametrize("seconds", [1, 120])
def test_never_earlier_than_retry_after(service: FakeService, caller: Caller, seconds: int) -> None:
    service.script = [error(429, "rate_limited", {"Retry-After": str(seconds)}), CARD]
    caller.call("get_card", CARD_ID)
    assert caller.pauses == [seconds + 0.5]


def test_retry_after_as_a_date(service: FakeService, caller: Caller) -> None:
    at = format_datetime(datetime.now(timezone.utc) + timedelta(seconds=60), usegmt=True)
    service.script = [error(503, "unavailable", {"Retry-After": at}), CARD]
    caller.call("get_card", CARD_ID)
    assert 50 < caller.pauses[0] <= 60.5


def test_a_long_retry_after_is_the_callers_to_decide(service: FakeService, caller: Caller) -> None:
    service.script = [error(429, "rate_limited", {"Retry-After": "121"}), CARD]
    with pytest.raises(CardVaultError) as raised:
        caller.call("get_card", CARD_ID)
    assert raised.value.retry_after == 121
    assert len(service.asked) == 1


@pytest.mark.parametrize("broken", [HangUp(), Reply(200, card(), declared=100_000)])
def test_a_broken_connection_is_tried_again(service: FakeService, caller: Caller, broken: HangUp | Reply) -> None:
    service.script = [broken, CARD]
    assert caller.call("get_card", CARD_ID).id == CARD_ID
    assert caller.pauses == [0.5]


def test_a_connection_that_stays_broken(service: FakeService, make_caller: MakeCaller) -> None:
    service.script = [HangUp()]
    with pytest.raises(CardVaultConnectionError) as raised:
        make_caller(max_retries=1).call("get_card", CARD_ID)
    assert not isinstance(raised.value, CardVaultTimeoutError)
    assert isinstance(raised.value.__cause__, httpx.RemoteProtocolError)
    assert len(service.asked) == 2


@pytest.mark.parametrize("late", [Hang(), Trickle()])
def test_each_attempt_has_the_timeout(service: FakeService, make_caller: MakeCaller, late: Hang | Trickle) -> None:
    service.script = [late, CARD]
    caller = make_caller(timeout=1)
    assert caller.call("get_card", CARD_ID).id == CARD_ID
    assert len(service.asked) == 2


@pytest.mark.parametrize("late", [Hang(), Trickle()])
def test_a_timeout_is_an_error_of_its_own(service: FakeService, make_caller: MakeCaller, late: Hang | Trickle) -> None:
    service.script = [late]
    with pytest.raises(CardVaultTimeoutError, match=r"within 0\.2 seconds"):
        make_caller(timeout=0.2, max_retries=0).call("get_card", CARD_ID)


def test_a_post_keeps_its_key(service: FakeService, caller: Caller) -> None:
    service.script = [BUSY, HangUp(), Reply(201, batch())]
    caller.call("create_batch", name="Spring fair")
    caller.call("create_batch", name="Spring fair")
    keys = [asked.headers["Idempotency-Key"] for asked in service.asked]
    assert keys[0] == keys[1] == keys[2] != keys[3]
    assert len({asked.body for asked in service.asked}) == 1


def test_a_post_keeps_the_callers_key(service: FakeService, caller: Caller) -> None:
    service.script = [BUSY, Reply(201, batch())]
    caller.call("create_batch", name="Spring fair", idempotency_key="fair-1")
    assert [asked.headers["Idempotency-Key"] for asked in service.asked] == ["fair-1", "fair-1"]


@dataclass(frozen=True)
class Use:
    """A method, its arguments and a response."""

    method: str
    args: tuple[Any, ...]
    options: dict[str, Any]
    answer: Reply


@pytest.mark.parametrize(
    "use",
    [
        Use("get_card", (CARD_ID,), {}, CARD),
        Use("update_card", (CARD_ID,), {"notes": None, "if_match": '"3"'}, CARD),
        Use("put_card_photo", (CARD_ID, "front", b"\xff\xd8"), {"content_type": "image/jpeg"}, CARD),
        Use("delete_card_photo", (CARD_ID, "pho_1"), {}, Reply(204)),
    ],
    ids=lambda use: use.method,
)
def test_other_requests_are_sent_again_as_they_are(service: FakeService, caller: Caller, use: Use) -> None:
    service.script = [BUSY, use.answer]
    caller.call(use.method, *use.args, **use.options)
    first, second = service.asked
    assert first == second
    assert "Idempotency-Key" not in first.headers


def test_a_key_in_flight_from_an_earlier_attempt_is_waited_for(service: FakeService, caller: Caller) -> None:
    busy = error(409, "idempotency_conflict")
    service.script = [HangUp(), busy, busy, Reply(201, batch())]
    caller.call("create_batch", name="Spring fair")
    assert caller.pauses == [0.5, 9.0, 10.0]


def test_a_key_that_somebody_else_uses_is_not_waited_for(service: FakeService, caller: Caller) -> None:
    service.script = [error(409, "idempotency_conflict")]
    with pytest.raises(CardVaultError) as raised:
        caller.call("create_batch", name="Spring fair", idempotency_key="fair-1")
    assert raised.value.code == ErrorCode.IDEMPOTENCY_CONFLICT
    assert len(service.asked) == 1


def test_a_certificate_that_is_not_trusted_is_not_tried_again() -> None:
    attempts = 0

    def refuse(_: httpx.Request) -> httpx.Response:
        nonlocal attempts
        attempts += 1
        raise httpx.ConnectError("certificate verify failed") from ssl.SSLCertVerificationError()

    with httpx.Client(transport=httpx.MockTransport(refuse)) as http:
        client = CardVault("https://vault.example/api", TOKEN, http_client=http)
        with pytest.raises(CardVaultConnectionError, match="certificate"):
            client.get_card(CARD_ID)
    assert attempts == 1
