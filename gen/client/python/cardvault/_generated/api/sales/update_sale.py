from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from ...models.fee import Fee
from ...models.money import Money
from ...models.sale import Sale
from ...models.sale_tracking import SaleTracking
from ...types import UNSET, Request, Unset, header_values, json_object, path_segment

Result: TypeAlias = Sale


def request(
    id: str,
    *,
    gross: Money | Mapping[str, Any] | Unset = UNSET,
    sold_at: datetime.datetime | Unset = UNSET,
    fees: Sequence[Fee | Mapping[str, Any]] | Unset = UNSET,
    shipping_charged: Money | Mapping[str, Any] | Unset = UNSET,
    shipping_cost: Money | Mapping[str, Any] | Unset = UNSET,
    tax: Money | Mapping[str, Any] | Unset = UNSET,
    tracking: None | SaleTracking | Mapping[str, Any] | Unset = UNSET,
    shipped_at: datetime.datetime | None | Unset = UNSET,
    buyer_reference: None | str | Unset = UNSET,
    if_match: int | str | None = None,
) -> Request[Result]:
    return Request(
        "PATCH",
        f"/sales/{path_segment('id', id)}",
        parse,
        headers=header_values(
            {
                "If-Match": if_match,
            }
        ),
        json=json_object(
            {
                "gross": gross,
                "sold_at": sold_at,
                "fees": fees,
                "shipping_charged": shipping_charged,
                "shipping_cost": shipping_cost,
                "tax": tax,
                "tracking": tracking,
                "shipped_at": shipped_at,
                "buyer_reference": buyer_reference,
            }
        ),
    )


def parse(data: Any) -> Result:
    """Convert the JSON of a response. Raise KeyError, TypeError, ValueError or AttributeError if it is invalid."""
    response_200 = Sale.from_dict(data)

    return response_200
