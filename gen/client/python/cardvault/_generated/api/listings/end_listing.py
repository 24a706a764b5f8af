from __future__ import annotations

from typing import Any, TypeAlias

from ...models.listing import Listing
from ...types import Request, header_values, path_segment

Result: TypeAlias = Listing


def request(
    id: str,
    *,
    idempotency_key: str | None = None,
) -> Request[Result]:
    return Request(
        "POST",
        f"/listings/{path_segment('id', id)}/end",
        parse,
        headers=header_values(
            {
                "Idempotency-Key": idempotency_key,
            }
        ),
    )


def parse(data: Any) -> Result:
    """Convert the JSON of a response. Raise KeyError, TypeError, ValueError or AttributeError if it is invalid."""
    response_202 = Listing.from_dict(data)

    return response_202
