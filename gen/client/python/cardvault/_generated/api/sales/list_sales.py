from __future__ import annotations

import datetime
from typing import Any, TypeAlias

from ...models.currency import Currency
from ...models.sale_channel import SaleChannel
from ...models.sale_page import SalePage
from ...models.sale_status import SaleStatus
from ...types import Request, header_values, query_values

Result: TypeAlias = SalePage


def request(
    *,
    limit: int | None = None,
    cursor: str | None = None,
    sold_since: datetime.datetime | None = None,
    sold_before: datetime.datetime | None = None,
    channel: SaleChannel | None = None,
    status: SaleStatus | None = None,
    card: str | None = None,
    currency: Currency | None = None,
    to_ship: bool | None = None,
    updated_since: datetime.datetime | None = None,
    if_none_match: int | str | None = None,
) -> Request[Result]:
    return Request(
        "GET",
        f"/sales",
        parse,
        query=query_values(
            {
                "limit": limit,
                "cursor": cursor,
                "sold_since": sold_since,
                "sold_before": sold_before,
                "channel": channel,
                "status": status,
                "card": card,
                "currency": currency,
                "to_ship": to_ship,
                "updated_since": updated_since,
            }
        ),
        headers=header_values(
            {
                "If-None-Match": if_none_match,
            }
        ),
    )


def parse(data: Any) -> Result:
    """Convert the JSON of a response. Raise KeyError, TypeError, ValueError or AttributeError if it is invalid."""
    response_200 = SalePage.from_dict(data)

    return response_200
