from __future__ import annotations

from typing import Any, TypeAlias

from ...models.sale import Sale
from ...types import Request, header_values, path_segment

Result: TypeAlias = Sale


def request(
    id: str,
    *,
    idempotency_key: str | None = None,
) -> Request[Result]:
    return Request(
        "POST",
        f"/sales/{path_segment('id', id)}/void",
        parse,
        headers=header_values(
            {
                "Idempotency-Key": idempotency_key,
            }
        ),
    )


def parse(data: Any) -> Result:
    """Convert the JSON of a response. Raise KeyError, TypeError, ValueError or AttributeError if it is invalid."""
    response_200 = Sale.from_dict(data)

    return response_200
