from __future__ import annotations

import datetime
from typing import Any, TypeAlias

from ...models.listing_page import ListingPage
from ...models.listing_status import ListingStatus
from ...models.marketplace import Marketplace
from ...types import Request, header_values, query_values

Result: TypeAlias = ListingPage


def request(
    *,
    limit: int | None = None,
    cursor: str | None = None,
    status: list[ListingStatus] | None = None,
    card: str | None = None,
    marketplace: Marketplace | None = None,
    updated_since: datetime.datetime | None = None,
    if_none_match: int | str | None = None,
) -> Request[Result]:
    return Request(
        "GET",
        f"/listings",
        parse,
        query=query_values(
            {
                "limit": limit,
                "cursor": cursor,
                "status": status,
                "card": card,
                "marketplace": marketplace,
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
    response_200 = ListingPage.from_dict(data)

    return response_200
