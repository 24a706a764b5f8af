from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from ...models.price_estimate import PriceEstimate
from ...models.price_lookup_card import PriceLookupCard
from ...types import UNSET, Request, Unset, header_values, json_object

Result: TypeAlias = PriceEstimate


def request(
    *,
    card_id: str | Unset = UNSET,
    card: PriceLookupCard | Mapping[str, Any] | Unset = UNSET,
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
        json=json_object(
            {
                "card_id": card_id,
                "card": card,
            }
        ),
    )


def parse(data: Any) -> Result:
    """Convert the JSON of a response. Raise KeyError, TypeError, ValueError or AttributeError if it is invalid."""
    response_200 = PriceEstimate.from_dict(data)

    return response_200
