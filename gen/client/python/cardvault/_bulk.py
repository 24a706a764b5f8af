"""The methods that update, publish, end or look up any number of items with as many requests as necessary."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from ._generated.client import AsyncOperations, Operations
from ._generated.models import (
    Card,
    CardUpdate,
    ItemError,
    Job,
    JobFilter,
    JobKind,
    Listing,
    Marketplace,
    PriceEstimate,
    PriceLookupResults,
)
from ._generated.types import UNSET, Request, header_values
from .errors import CardVaultError

I = TypeVar("I")  # noqa: E741 - an item
V = TypeVar("V")

MAX_ITEMS = 500
"""The maximum number of items of a request."""

MAX_PRICES = 50
"""The maximum number of cards of a request for prices."""


@dataclass(frozen=True)
class BulkResult(Generic[V]):
    """The result of one item. Either `value` or `error` is None."""

    id: str
    """The identifier of the item."""
    value: V | None
    """The card, the listing or the price."""
    error: CardVaultError | None
    """The error of the item, or of its whole request."""


class _ItemResult(Protocol):
    """A result of a response."""

    @property
    def id(self) -> str: ...
    @property
    def status(self) -> int: ...
    @property
    def error(self) -> ItemError | None: ...


def _card_id(update: CardUpdate | Mapping[str, Any]) -> str:
    return update.id if isinstance(update, CardUpdate) else str(update["id"])


def _parts(items: Iterable[I], id_of: Callable[[I], str], most: int = MAX_ITEMS) -> Iterator[dict[str, I]]:
    """Divide the items into requests of at most `most` items.

    A request ends before an item that it has already, because a card can stand in a request once.
    """
    part: dict[str, I] = {}
    for item in items:
        if len(part) == most or id_of(item) in part:
            yield part
            part = {}
        part[id_of(item)] = item
    if part:
        yield part


def _results(ids: Iterable[str], data: Sequence[_ItemResult], field: str) -> Iterator[BulkResult[Any]]:
    """Convert the results of a response."""
    wanted = list(ids)
    if len(data) != len(wanted):
        yield from _failures(wanted, CardVaultError(f"The response has {len(data)} results for {len(wanted)} items"))
        return
    for id_, result in zip(wanted, data, strict=True):
        yield BulkResult(id_, getattr(result, field), _error(result.error) if result.error else None)


def _failures(ids: Iterable[str], error: CardVaultError) -> Iterator[BulkResult[Any]]:
    """Return the results of a request that failed."""
    return (BulkResult(id_, None, error) for id_ in ids)


def _error(error: ItemError) -> CardVaultError:
    return CardVaultError(error.message, status=error.status, code=error.code, details=error.details or ())


def _prices(card_ids: Iterable[str], idempotency_key: str | None) -> Request[PriceLookupResults]:
    """Return the request for the prices of cards."""
    return Request(
        "POST",
        "/price-lookup",
        PriceLookupResults.from_dict,
        headers=header_values({"Idempotency-Key": idempotency_key}),
        json={"card_ids": list(card_ids)},
    )


class Bulk(Operations):
    """Sends requests with many items."""

    def lookup_prices(self, card_ids: Iterable[str], *, idempotency_key: str | None = None) -> PriceLookupResults:
        """Look up the prices of 1 to 50 cards in one request: `POST /price-lookup` with `card_ids`.

        The response has a result for each card, in the order of the request.

        Args:
            card_ids: The cards. They must differ.
            idempotency_key: As in `lookup_price`.
        """
        return self._call(_prices(card_ids, idempotency_key))

    def bulk_lookup_prices(self, card_ids: Iterable[str]) -> Iterator[BulkResult[PriceEstimate]]:
        """Look up the prices of any number of cards, up to 50 with one request, as `bulk_update` updates cards."""
        return self._bulk(card_ids, str, "estimate", lambda part: self.lookup_prices(part).data, MAX_PRICES)

    def bulk_update(self, updates: Iterable[CardUpdate | Mapping[str, Any]]) -> Iterator[BulkResult[Card]]:
        """Update any number of cards, up to 500 with one request. Yield a result for each update, in their order.

        If a request fails, each of its updates gets its error, and the next request is sent. Each request is sent when
        you have read the results of the one before: if you leave the loop, the remaining cards stay unchanged.
        """
        return self._bulk(updates, _card_id, "card", lambda part: self.update_cards(updates=part).data)

    def bulk_publish(
        self, card_ids: Iterable[str], *, marketplace: Marketplace | None = None
    ) -> Iterator[BulkResult[Listing]]:
        """Publish any number of cards at their asking prices, as `bulk_update` updates them."""
        market = marketplace or UNSET
        return self._bulk(
            card_ids, str, "listing", lambda part: self.publish_cards(card_ids=part, marketplace=market).data
        )

    def bulk_end(self, listing_ids: Iterable[str]) -> Iterator[BulkResult[Listing]]:
        """End any number of live listings, as `bulk_update` updates cards."""
        return self._bulk(listing_ids, str, "listing", lambda part: self.end_listings(listing_ids=part).data)

    def delete_matching(
        self, filter_: JobFilter | Mapping[str, Any], expected: int, *, idempotency_key: str | None = None
    ) -> Job:
        """Start a job that deletes the cards that match the filter, of which you expect this number.

        If the real number differs by more than 1 %, rounded down, nothing is deleted, and the error has the code
        `unexpected_count`. The service refuses a filter without a condition, and one with an empty or blank text.
        `undo_job` brings the cards back for 24 hours.
        """
        return self.create_job(
            kind=JobKind.DELETE, filter_=filter_, expected_count=expected, idempotency_key=idempotency_key
        )

    def _bulk(
        self,
        items: Iterable[I],
        id_of: Callable[[I], str],
        field: str,
        send: Callable[[list[I]], Sequence[_ItemResult]],
        most: int = MAX_ITEMS,
    ) -> Iterator[BulkResult[Any]]:
        for part in _parts(items, id_of, most):
            try:
                data = send(list(part.values()))
            except CardVaultError as error:
                yield from _failures(part, error)
            else:
                yield from _results(part, data, field)


class AsyncBulk(AsyncOperations):
    """Sends requests with many items, for asyncio."""

    async def lookup_prices(self, card_ids: Iterable[str], *, idempotency_key: str | None = None) -> PriceLookupResults:
        """Look up the prices of 1 to 50 cards like `CardVault.lookup_prices`."""
        return await self._call(_prices(card_ids, idempotency_key))

    async def bulk_lookup_prices(self, card_ids: Iterable[str]) -> AsyncIterator[BulkResult[PriceEstimate]]:
        """Look up the prices of any number of cards like `CardVault.bulk_lookup_prices`, with `async for`."""
        for part in _parts(card_ids, str, MAX_PRICES):
            try:
                results = _results(part, (await self.lookup_prices(part)).data, "estimate")
            except CardVaultError as error:
                results = _failures(part, error)
            for result in results:
                yield result

    async def bulk_update(self, updates: Iterable[CardUpdate | Mapping[str, Any]]) -> AsyncIterator[BulkResult[Card]]:
        """Update any number of cards like `CardVault.bulk_update`, with `async for`."""
        for part in _parts(updates, _card_id):
            try:
                data = (await self.update_cards(updates=list(part.values()))).data
                results = _results(part, data, "card")
            except CardVaultError as error:
                results = _failures(part, error)
            for result in results:
                yield result

    async def bulk_publish(
        self, card_ids: Iterable[str], *, marketplace: Marketplace | None = None
    ) -> AsyncIterator[BulkResult[Listing]]:
        """Publish any number of cards like `CardVault.bulk_publish`."""
        for part in _parts(card_ids, str):
            try:
                data = (await self.publish_cards(card_ids=list(part), marketplace=marketplace or UNSET)).data
                results = _results(part, data, "listing")
            except CardVaultError as error:
                results = _failures(part, error)
            for result in results:
                yield result

    async def delete_matching(
        self, filter_: JobFilter | Mapping[str, Any], expected: int, *, idempotency_key: str | None = None
    ) -> Job:
        """Start a job that deletes the cards that match the filter like `CardVault.delete_matching`."""
        return await self.create_job(
            kind=JobKind.DELETE, filter_=filter_, expected_count=expected, idempotency_key=idempotency_key
        )

    async def bulk_end(self, listing_ids: Iterable[str]) -> AsyncIterator[BulkResult[Listing]]:
        """End any number of live listings like `CardVault.bulk_end`."""
        for part in _parts(listing_ids, str):
            try:
                data = (await self.end_listings(listing_ids=list(part))).data
                results = _results(part, data, "listing")
            except CardVaultError as error:
                results = _failures(part, error)
            for result in results:
                yield result
