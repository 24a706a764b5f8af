from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from ...models.fee import Fee
from ...models.money import Money
from ...models.sale import Sale
from ...models.sale_channel import SaleChannel
from ...types import UNSET, Request, Unset, header_values, json_object, path_segment

Result: TypeAlias = Sale


def request(
    id: str,
    *,
    channel: SaleChannel,
    price: Money | Mapping[str, Any],
    sold_at: datetime.datetime | Unset = UNSET,
    fees: Sequence[Fee | Mapping[str, Any]] | Unset = UNSET,
    order_reference: str | Unset = UNSET,
    idempotency_key: str | None = None,
) -> Request[Result]:
    return Request(
        "POST",
        f"/cards/{path_segment('id', id)}/sell",
        parse,
        headers=header_values(
            {
                "Idempotency-Key": idempotency_key,
            }
        ),
        json=json_object(
            {
                "channel": channel,
                "price": price,
                "sold_at": sold_at,
                "fees": fees,
                "order_reference": order_reference,
            }
        ),
    )


def parse(data: Any) -> Result:
    """Convert the JSON of a response. Raise KeyError, TypeError, ValueError or AttributeError if it is invalid."""
    response_201 = Sale.from_dict(data)

    return response_201
