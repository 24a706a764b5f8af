from __future__ import annotations

import datetime
from typing import Any, TypeAlias

from ...models.deletion_page import DeletionPage
from ...types import Request, header_values, query_values

Result: TypeAlias = DeletionPage


def request(
    *,
    limit: int | None = None,
    cursor: str | None = None,
    updated_since: datetime.datetime | None = None,
    if_none_match: int | str | None = None,
) -> Request[Result]:
    return Request(
        "GET",
        f"/deletions",
        parse,
        query=query_values(
            {
                "limit": limit,
                "cursor": cursor,
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
    response_200 = DeletionPage.from_dict(data)

    return response_200
