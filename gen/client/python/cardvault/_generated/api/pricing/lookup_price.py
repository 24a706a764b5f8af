from __future__ import annotations

from typing import Any, TypeAlias

from ...models.price_estimate import PriceEstimate
from ...models.price_lookup_card import PriceLookupCard
from ...models.price_lookup_request import PriceLookupRequest
from ...types import UNSET, Request, Unset, header_values

Result: TypeAlias = PriceEstimate


def request(
    *,
    card_id: str | Unset = UNSET,
    card: PriceLookupCard | Unset = UNSET,
    idempotency_key: str | None = None,
) -> Request[Result]:
    return Request(
        "POST",
        f"/price-lookup",
        parse,
        headers=header_values(
            {
                "Idempotency-Key": idempotency_key,
            }
        ),
        json=PriceLookupRequest(
            card_id=card_id,
            card=card,
        ).to_dict(),
    )


def parse(data: Any) -> Result:
    """Convert the JSON of a response. Raise KeyError, TypeError, ValueError or AttributeError if it is invalid."""
    response_200 = PriceEstimate.from_dict(data)

    return response_200
