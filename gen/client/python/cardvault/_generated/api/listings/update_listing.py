from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from ...models.listing import Listing
from ...models.money import Money
from ...types import UNSET, Request, Unset, header_values, json_object, path_segment

Result: TypeAlias = Listing


def request(
    id: str,
    *,
    price: Money | Mapping[str, Any] | Unset = UNSET,
    title: str | Unset = UNSET,
    if_match: int | str | None = None,
) -> Request[Result]:
    return Request(
        "PATCH",
        f"/listings/{path_segment('id', id)}",
        parse,
        headers=header_values(
            {
                "If-Match": if_match,
            }
        ),
        json=json_object(
            {
                "price": price,
                "title": title,
            }
        ),
    )


def parse(data: Any) -> Result:
    """Convert the JSON of a response. Raise KeyError, TypeError, ValueError or AttributeError if it is invalid."""
    response_200 = Listing.from_dict(data)

    return response_200
