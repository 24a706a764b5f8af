from __future__ import annotations

from typing import Any, TypeAlias

from ...models.account_usage import AccountUsage
from ...types import Request, header_values, query_values

Result: TypeAlias = AccountUsage


def request(
    *,
    hours: int | None = None,
    token: str | None = None,
    if_none_match: int | str | None = None,
) -> Request[Result]:
    return Request(
        "GET",
        f"/account/usage",
        parse,
        query=query_values(
            {
                "hours": hours,
                "token": token,
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
    response_200 = AccountUsage.from_dict(data)

    return response_200
