from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from ...models.listing import Listing
from ...models.marketplace import Marketplace
from ...models.money import Money
from ...types import UNSET, Request, Unset, header_values, json_object, path_segment

Result: TypeAlias = Listing


def request(
    card_id: str,
    *,
    marketplace: Marketplace | Unset = UNSET,
    price: Money | Mapping[str, Any] | Unset = UNSET,
    title: str | Unset = UNSET,
    idempotency_key: str | None = None,
) -> Request[Result]:
    return Request(
        "POST",
        f"/listings/{path_segment('card_id', card_id)}/publish",
        parse,
        headers=header_values(
            {
                "Idempotency-Key": idempotency_key,
            }
        ),
        json=json_object(
            {
                "marketplace": marketplace,
                "price": price,
                "title": title,
            }
        )
        or UNSET,
    )


def parse(data: Any) -> Result:
    """Convert the JSON of a response. Raise KeyError, TypeError, ValueError or AttributeError if it is invalid."""
    response_202 = Listing.from_dict(data)

    return response_202
