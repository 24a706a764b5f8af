from __future__ import annotations

import datetime
from typing import Any, TypeAlias

from ...models.event_kind import EventKind
from ...models.event_page import EventPage
from ...types import Request, header_values, query_values

Result: TypeAlias = EventPage


def request(
    *,
    limit: int | None = None,
    cursor: str | None = None,
    event: list[EventKind] | None = None,
    created_since: datetime.datetime | None = None,
    if_none_match: int | str | None = None,
) -> Request[Result]:
    return Request(
        "GET",
        f"/events",
        parse,
        query=query_values(
            {
                "limit": limit,
                "cursor": cursor,
                "event": event,
                "created_since": created_since,
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
    response_200 = EventPage.from_dict(data)

    return response_200
