from __future__ import annotations

from typing import Any, TypeAlias

from ...models.card_waiting import CardWaiting
from ...types import Request, header_values, path_segment

Result: TypeAlias = CardWaiting


def request(
    id: str,
    *,
    if_none_match: int | str | None = None,
) -> Request[Result]:
    return Request(
        "GET",
        f"/cards/{path_segment('id', id)}/waiting",
        parse,
        headers=header_values(
            {
                "If-None-Match": if_none_match,
            }
        ),
    )


def parse(data: Any) -> Result:
    """Convert the JSON of a response. Raise KeyError, TypeError, ValueError or AttributeError if it is invalid."""
    response_200 = CardWaiting.from_dict(data)

    return response_200
