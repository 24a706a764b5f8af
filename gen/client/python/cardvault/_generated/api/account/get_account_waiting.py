from __future__ import annotations

from typing import Any, TypeAlias

from ...models.account_waiting import AccountWaiting
from ...types import Request, header_values

Result: TypeAlias = AccountWaiting


def request(
    *,
    if_none_match: int | str | None = None,
) -> Request[Result]:
    return Request(
        "GET",
        f"/account/waiting",
        parse,
        headers=header_values(
            {
                "If-None-Match": if_none_match,
            }
        ),
    )


def parse(data: Any) -> Result:
    """Convert the JSON of a response. Raise KeyError, TypeError, ValueError or AttributeError if it is invalid."""
    response_200 = AccountWaiting.from_dict(data)

    return response_200
