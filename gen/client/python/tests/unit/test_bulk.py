"""Tests of the requests with many items."""

from __future__ import annotations

from typing import Any

import pytest
from callers import Caller
from documents import Document, card, listing
from fake_service import Asked, FakeService, Reply

from cardvault import CardVaultError, ErrorCode
from cardvault.models import CardUpdate, Marketplace, PriceEstimate

WRONG = {"code": "card_sold", "message": "The card is sold.", "status": 409}
PRICE = {"amount": 450, "currency": "USD"}
ESTIMATE = {
    "price": PRICE,
    "low": PRICE,
    "high": PRICE,
    "basis": "catalog",
    "sample_size": 1,
    "newest_age_days": 4,
    "comparables": [],
    "excluded": [],
    "as_of": "2026-05-11T15:32:01.123456Z",
}
INVALID = {"error": {"code": "invalid_request", "message": "It cannot be done.", "status": 400}}


class BulkService:
    """Updates, publishes and ends many. The item "bad" fails, and so does each request with the item "worse"."""

    def __init__(self) -> None:
        self.sizes: list[int] = []

    def __call__(self, asked: Asked) -> Reply:
        body = asked.json
        ids = [update["id"] for update in body.get("updates", [])]
        ids += body.get("card_ids", []) + body.get("listing_ids", [])
        self.sizes.append(len(ids))
        if "worse" in ids:
            return Reply(400, INVALID)
        field = "card" if "updates" in body else "estimate" if asked.path.endswith("/price-lookup") else "listing"
        return Reply(body={"data": [self._result(id_, field) for id_ in ids]})

    def _result(self, id_: str, field: str) -> Document:
        item = {"card": card(id=id_), "listing": listing(id=id_), "estimate": ESTIMATE}[field]
        if id_ == "bad":
            return {"id": id_, "status": 409, field: None, "error": WRONG}
        return {"id": id_, "status": 200, field: item, "error": None}


def outcomes(results: list[Any]) -> list[tuple[str, str | None]]:
    for result in results:
        assert (result.value is None) != (result.error is None)
        assert result.error or isinstance(result.value, PriceEstimate) or result.value.id == result.id
    return [(result.id, str(result.error.code) if result.error else None) for result in results]


def test_many_updates(service: FakeService, caller: Caller) -> None:
    service.script = [bulk := BulkService()]
    ids = [f"card_{i}" for i in range(1200)]
    ids[3], ids[600] = "bad", "worse"
    results = caller.collect("bulk_update", (CardUpdate(id=id_, notes=None) for id_ in ids))
    want: list[str | None] = [None] * 500 + ["invalid_request"] * 500 + [None] * 200
    want[3] = "card_sold"
    assert outcomes(results) == list(zip(ids, want, strict=True))
    assert bulk.sizes == [500, 500, 200]
    assert (results[3].error.status, results[3].error.message) == (409, "The card is sold.")


def test_a_card_stands_in_a_request_once(service: FakeService, caller: Caller) -> None:
    service.script = [bulk := BulkService()]
    updates = [{"id": "a", "notes": "1"}, {"id": "b", "notes": "2"}, {"id": "a", "notes": "3"}]
    assert outcomes(caller.collect("bulk_update", updates)) == [("a", None), ("b", None), ("a", None)]
    assert bulk.sizes == [2, 1]
    assert service.asked[0].json == {"updates": updates[:2]}


def test_publishing_many(service: FakeService, caller: Caller) -> None:
    service.script = [BulkService()]
    results = caller.collect("bulk_publish", ["a", "bad"], marketplace=Marketplace.SANDBOX)
    assert outcomes(results) == [("a", None), ("bad", "card_sold")]
    assert service.asked[0].json == {"card_ids": ["a", "bad"], "marketplace": "sandbox"}


def test_ending_many(service: FakeService, caller: Caller) -> None:
    service.script = [BulkService()]
    results = caller.collect("bulk_end", ["a", "worse"])
    assert outcomes(results) == [("a", "invalid_request"), ("worse", "invalid_request")]


def test_many_prices(service: FakeService, caller: Caller) -> None:
    service.script = [bulk := BulkService()]
    ids = [f"card_{i}" for i in range(120)]
    ids[3], ids[110] = "bad", "worse"
    results = caller.collect("bulk_lookup_prices", ids)
    want: list[str | None] = [None] * 100 + ["invalid_request"] * 20
    want[3] = "card_sold"
    assert outcomes(results) == list(zip(ids, want, strict=True))
    assert bulk.sizes == [50, 50, 20]
    assert results[0].value.price.amount == 450


def test_prices_of_one_request(service: FakeService, caller: Caller) -> None:
    service.script = [BulkService()]
    found, failed = caller.call("lookup_prices", ["a", "bad"], idempotency_key="once").data
    assert (found.id, found.estimate.price.amount, found.error) == ("a", 450, None)
    assert (failed.status, failed.estimate, failed.error.code) == (409, None, "card_sold")
    assert service.asked[0].json == {"card_ids": ["a", "bad"]}
    assert service.asked[0].headers["Idempotency-Key"] == "once"


def test_leaving_the_loop_sends_no_more(service: FakeService, caller: Caller) -> None:
    service.script = [bulk := BulkService()]
    caller.collect("bulk_end", [f"lst_{i}" for i in range(501)], at_most=500)
    assert bulk.sizes == [500]


def test_a_response_with_too_few_results(service: FakeService, caller: Caller) -> None:
    service.script = [Reply(body={"data": []})]
    (result,) = caller.collect("bulk_end", ["a"])
    assert "0 results for 1 items" in result.error.message


def test_a_deletion_by_a_filter_expects_a_number(service: FakeService, caller: Caller) -> None:
    service.script = [Reply(409, {"error": {"code": "unexpected_count", "message": "It differs.", "status": 409}})]
    with pytest.raises(CardVaultError) as raised:
        caller.call("delete_matching", {"location": "Box 9"}, 0)
    assert raised.value.code == ErrorCode.UNEXPECTED_COUNT
    assert service.asked[0].json == {"kind": "delete", "filter": {"location": "Box 9"}, "expected_count": 0}
