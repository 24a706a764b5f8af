from __future__ import annotations

from typing import Any, TypeAlias

from ...models.batch import Batch
from ...types import UNSET, Request, Unset, header_values, json_object

Result: TypeAlias = Batch


def request(
    *,
    name: str,
    description: str | Unset = UNSET,
    idempotency_key: str | None = None,
) -> Request[Result]:
    return Request(
        "POST",
        f"/batches",
        parse,
        headers=header_values(
            {
                "Idempotency-Key": idempotency_key,
            }
        ),
        json=json_object(
            {
                "name": name,
                "description": description,
            }
        ),
    )


def parse(data: Any) -> Result:
    """Convert the JSON of a response. Raise KeyError, TypeError, ValueError or AttributeError if it is invalid."""
    response_201 = Batch.from_dict(data)

    return response_201
