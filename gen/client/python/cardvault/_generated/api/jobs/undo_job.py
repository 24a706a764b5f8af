from __future__ import annotations

from typing import Any, TypeAlias

from ...models.job import Job
from ...types import Request, header_values, path_segment

Result: TypeAlias = Job


def request(
    id: str,
    *,
    idempotency_key: str | None = None,
) -> Request[Result]:
    return Request(
        "POST",
        f"/jobs/{path_segment('id', id)}/undo",
        parse,
        headers=header_values(
            {
                "Idempotency-Key": idempotency_key,
            }
        ),
    )


def parse(data: Any) -> Result:
    """Convert the JSON of a response. Raise KeyError, TypeError, ValueError or AttributeError if it is invalid."""
    response_202 = Job.from_dict(data)

    return response_202
