from __future__ import annotations

from typing import Any, TypeAlias

from ...models.card_history_page import CardHistoryPage
from ...types import Request, header_values, path_segment, query_values

Result: TypeAlias = CardHistoryPage


def request(
    id: str,
    *,
    limit: int | None = None,
    cursor: str | None = None,
    if_none_match: int | str | None = None,
) -> Request[Result]:
    return Request(
        "GET",
        f"/cards/{path_segment('id', id)}/history",
        parse,
        query=query_values(
            {
                "limit": limit,
                "cursor": cursor,
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
    response_200 = CardHistoryPage.from_dict(data)

    return response_200
