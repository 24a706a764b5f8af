from __future__ import annotations

import datetime
from typing import Any, TypeAlias

from ...models.card_order import CardOrder
from ...models.card_page import CardPage
from ...models.condition import Condition
from ...models.currency import Currency
from ...models.game import Game
from ...models.identification_status import IdentificationStatus
from ...models.workflow_status import WorkflowStatus
from ...types import Request, header_values, path_segment, query_values

Result: TypeAlias = CardPage


def request(
    id: str,
    *,
    limit: int | None = None,
    cursor: str | None = None,
    status: list[WorkflowStatus] | None = None,
    location: str | None = None,
    set_: str | None = None,
    game: Game | None = None,
    number: str | None = None,
    condition: Condition | None = None,
    identification: IdentificationStatus | None = None,
    min_price: int | None = None,
    max_price: int | None = None,
    currency: Currency | None = None,
    sku: str | None = None,
    external_id: str | None = None,
    ids: list[str] | None = None,
    catalog_id: str | None = None,
    language: str | None = None,
    grade: str | None = None,
    has_photo: bool | None = None,
    q: str | None = None,
    sort: CardOrder | None = None,
    updated_since: datetime.datetime | None = None,
    if_none_match: int | str | None = None,
) -> Request[Result]:
    return Request(
        "GET",
        f"/batches/{path_segment('id', id)}/cards",
        parse,
        query=query_values(
            {
                "limit": limit,
                "cursor": cursor,
                "status": status,
                "location": location,
                "set": set_,
                "game": game,
                "number": number,
                "condition": condition,
                "identification": identification,
                "min_price": min_price,
                "max_price": max_price,
                "currency": currency,
                "sku": sku,
                "external_id": external_id,
                "ids": ids,
                "catalog_id": catalog_id,
                "language": language,
                "grade": grade,
                "has_photo": has_photo,
                "q": q,
                "sort": sort,
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
    response_200 = CardPage.from_dict(data)

    return response_200
