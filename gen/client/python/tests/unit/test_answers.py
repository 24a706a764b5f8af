"""Tests of the parsing of responses, also of those of a newer service."""

from __future__ import annotations

import copy
import pickle
from datetime import datetime, timezone

import pytest
from callers import Caller
from conftest import MakeCaller
from documents import CARD_ID, EVENT_ID, card, error, event, identification, money, page
from fake_service import FakeService, Reply

from cardvault import (
    CardVaultConnectionError,
    CardVaultError,
    ErrorCode,
    NotModified,
    RateLimit,
    ResponseInfo,
    events,
)
from cardvault.models import Card, Currency, Game, Money, WorkflowStatus


def test_a_card(service: FakeService, caller: Caller) -> None:
    pricing = {"asking_price": money(), "floor_price": None, "cost": None, "priced_at": None}
    service.script = [Reply(body=card(pricing=pricing))]
    got = caller.call("get_card", CARD_ID)
    assert got.workflow_status is WorkflowStatus.IMPORTED
    assert got.pricing.asking_price == Money(amount=1250, currency=Currency.USD)
    assert got.pricing.cost is None
    assert got.updated_at == datetime(2026, 5, 11, 15, 32, 1, 123456, timezone.utc)
    assert got.set_ == "Dawn"


def test_a_card_reads_and_writes_alike() -> None:
    document = card(pricing={"asking_price": money(), "floor_price": None, "cost": None, "priced_at": None})
    assert Card.from_dict(document).to_dict() == document


def test_fields_that_are_new(service: FakeService, caller: Caller) -> None:
    photo = {"id": "pho_1", "role": "front", "status": "ready", "url": None, "width": 1, "height": 1, "failure": None}
    newer = card(
        shine=3,
        identification=identification(aura="dark", grade={"company": "P", "value": "9", "cert_number": None, "sub": 1}),
        pricing={"asking_price": {**money(), "tax": 7}, "floor_price": None, "cost": None, "priced_at": None},
        photos=[{**photo, "blur": 0.1}],
    )
    service.script = [Reply(body=newer)]
    got = caller.call("get_card", CARD_ID)
    assert got["shine"] == 3
    assert got.identification["aura"] == "dark"
    assert got.pricing.asking_price.amount == 1250
    assert got.photos[0].additional_properties == {"blur": 0.1}


def test_values_that_are_new(service: FakeService, caller: Caller) -> None:
    service.script = [Reply(body=card(workflow_status="lent_out", identification=identification(game="digimon")))]
    got = caller.call("get_card", CARD_ID)
    assert got.workflow_status == "lent_out"
    assert not got.workflow_status.is_known
    assert isinstance(got.identification.game, Game)
    assert f"{got.identification.game}" == got.identification.game.value == "digimon"


def test_a_new_value_is_used_like_others() -> None:
    new = Game("digimon")
    assert (new, repr(new)) == (Game("digimon"), "<Game.digimon: 'digimon'>")
    assert {new: 1}["digimon"] == 1  # type: ignore[index] # a member is a string
    assert copy.deepcopy(new) == pickle.loads(pickle.dumps(new)) == new  # noqa: S301
    assert new not in list(Game)
    assert Game("pokemon") is Game.POKEMON
    assert Game.POKEMON.is_known
    with pytest.raises(ValueError, match="7"):
        Game(7)


def test_events_of_all_ages(service: FakeService, caller: Caller) -> None:
    service.script = [page(event(), event("card.lent", to="Mo"), event("card.identified", mood="bright"))]
    priced, unknown, identified = caller.call("list_events").data
    assert isinstance(priced, events.CardPricedEvent)
    assert priced.data.asking_price.amount == 1250
    assert isinstance(unknown, events.UnknownEvent)
    assert (unknown.event, unknown.data["to"]) == ("card.lent", "Mo")
    assert isinstance(identified, events.CardIdentifiedEvent)
    assert identified.data["mood"] == "bright"


def test_one_event(service: FakeService, caller: Caller) -> None:
    service.script = [Reply(body=event("card.lent"))]
    assert isinstance(caller.call("get_event", EVENT_ID), events.UnknownEvent)


def test_an_error_of_the_contract(service: FakeService, caller: Caller) -> None:
    limits = {"X-RateLimit-Limit": "60", "X-RateLimit-Remaining": "59", "X-RateLimit-Reset": "1778513580"}
    details = [{"field": "pricing.asking_price.amount", "message": "must be at least 0"}]
    service.script = [error(400, "invalid_request", limits, details=details)]
    with pytest.raises(CardVaultError) as raised:
        caller.call("update_card", CARD_ID)
    told = raised.value
    assert (told.status, told.code, told.message) == (400, ErrorCode.INVALID_REQUEST, "So it is.")
    assert (told.request_id, told.retry_after) == ("req-1", None)
    assert told.rate_limit == RateLimit(60, 59, datetime(2026, 5, 11, 15, 33, tzinfo=timezone.utc))
    assert [(detail.field, detail.message) for detail in told.details] == [
        ("pricing.asking_price.amount", "must be at least 0")
    ]
    assert str(told) == (
        "So it is. (invalid_request, status 400, request req-1)\n  pricing.asking_price.amount: must be at least 0"
    )
    assert str(pickle.loads(pickle.dumps(told))) == str(told)  # noqa: S301


def test_a_code_that_is_new(service: FakeService, caller: Caller) -> None:
    service.script = [error(409, "card_on_loan", advice="Ask Mo.")]
    with pytest.raises(CardVaultError) as raised:
        caller.call("get_card", CARD_ID)
    assert raised.value.code == "card_on_loan"


@pytest.mark.parametrize("body", [b"", b"<h1>Bad Gateway</h1>", b"[]", b'{"error":"so"}', b'{"error":{}}', b"\xff"])
def test_an_error_of_something_in_between(service: FakeService, make_caller: MakeCaller, body: bytes) -> None:
    service.script = [Reply(502, body)]
    with pytest.raises(CardVaultError, match="502 Bad Gateway: it is not from CardVault, but from a proxy") as raised:
        make_caller(max_retries=0).call("get_card", CARD_ID)
    assert (raised.value.status, raised.value.code) == (502, None)


@pytest.mark.parametrize(
    ("status", "advice"),
    [(403, "a proxy"), (413, "allow larger bodies there"), (503, "a proxy"), (404, "check base_url")],
)
def test_who_answered(service: FakeService, make_caller: MakeCaller, status: int, advice: str) -> None:
    service.script = [Reply(status, b"<h1>No</h1>")]
    with pytest.raises(CardVaultError, match=advice) as raised:
        make_caller(max_retries=0).call("get_card", CARD_ID)
    assert str(status) in str(raised.value)
    assert ("base_url" in str(raised.value)) == (status == 404)


@pytest.mark.parametrize("body", [b"", b"<h1>Welcome</h1>", b"[]", b"{}", b'"card"'])
def test_a_success_of_something_in_between(service: FakeService, caller: Caller, body: bytes) -> None:
    service.script = [Reply(200, body)]
    with pytest.raises(CardVaultError, match="check base_url") as raised:
        caller.call("get_card", CARD_ID)
    assert raised.value.status == 200
    assert not isinstance(raised.value, CardVaultConnectionError)
    assert len(service.asked) == 1


def test_what_is_said_beside_the_body(service: FakeService, make_caller: MakeCaller) -> None:
    limits = {"X-RateLimit-Limit": "60", "X-RateLimit-Remaining": "59", "X-RateLimit-Reset": "1778513580"}
    service.script = [
        error(503, "unavailable"),
        Reply(
            200,
            {"data": [], "has_more": False, "next_cursor": None},
            {**limits, "ETag": 'W/"7"', "X-Request-Id": "req-2"},
        ),
    ]
    told: list[ResponseInfo] = []
    make_caller(on_response=told.append).call("list_cards", limit=1)
    assert [(one.method, one.status, one.request_id) for one in told] == [("GET", 503, "req-1"), ("GET", 200, "req-2")]
    assert told[1].url == f"{service.url}/cards"
    assert told[1].headers["etag"] == 'W/"7"'
    assert (told[0].rate_limit, told[1].rate_limit) == (
        None,
        RateLimit(60, 59, datetime(2026, 5, 11, 15, 33, tzinfo=timezone.utc)),
    )


def test_not_modified(service: FakeService, caller: Caller) -> None:
    service.script = [Reply(304)]
    with pytest.raises(NotModified):
        caller.call("get_card", CARD_ID, if_none_match='"3"')
    assert service.asked[0].headers["If-None-Match"] == '"3"'


@pytest.mark.parametrize("value", ["", "soon", "-5", "٣", "Wed, 99 Foo 2026", "Mon, 11 May 2026 15:32:30 +9999999999"])
def test_a_retry_after_that_says_nothing(service: FakeService, make_caller: MakeCaller, value: str) -> None:
    service.script = [Reply(503, headers={"Retry-After": value.encode().decode("latin-1")})]
    with pytest.raises(CardVaultError) as raised:
        make_caller(max_retries=0).call("get_card", CARD_ID)
    assert raised.value.retry_after is None
