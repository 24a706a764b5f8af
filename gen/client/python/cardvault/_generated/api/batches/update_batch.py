from __future__ import annotations

from typing import Any, TypeAlias

from ...models.batch import Batch
from ...types import UNSET, Request, Unset, json_object, path_segment

Result: TypeAlias = Batch


def request(
    id: str,
    *,
    name: str | Unset = UNSET,
    description: None | str | Unset = UNSET,
) -> Request[Result]:
    return Request(
        "PATCH",
        f"/batches/{path_segment('id', id)}",
        parse,
        json=json_object(
            {
                "name": name,
                "description": description,
            }
        ),
    )


def parse(data: Any) -> Result:
    """Convert the JSON of a response. Raise KeyError, TypeError, ValueError or AttributeError if it is invalid."""
    response_200 = Batch.from_dict(data)

    return response_200
