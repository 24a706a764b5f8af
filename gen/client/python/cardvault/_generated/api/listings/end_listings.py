from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from ...models.end_results import EndResults
from ...types import UNSET, Request, Unset, header_values, json_object

Result: TypeAlias = EndResults


def request(
    *,
    listing_ids: Sequence[str],
    atomic: bool | Unset = UNSET,
    idempotency_key: str | None = None,
) -> Request[Result]:
    return Request(
        "POST",
        f"/listings/end",
        parse,
        headers=header_values(
            {
                "Idempotency-Key": idempotency_key,
            }
        ),
        json=json_object(
            {
                "listing_ids": listing_ids,
                "atomic": atomic,
            }
        ),
    )


def parse(data: Any) -> Result:
    """Convert the JSON of a response. Raise KeyError, TypeError, ValueError or AttributeError if it is invalid."""
    response_200 = EndResults.from_dict(data)

    return response_200
