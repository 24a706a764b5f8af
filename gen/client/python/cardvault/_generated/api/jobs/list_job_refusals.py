from __future__ import annotations

from typing import Any, TypeAlias

from ...models.job_refusal_page import JobRefusalPage
from ...types import Request, header_values, path_segment, query_values

Result: TypeAlias = JobRefusalPage


def request(
    id: str,
    *,
    limit: int | None = None,
    cursor: str | None = None,
    if_none_match: int | str | None = None,
) -> Request[Result]:
    return Request(
        "GET",
        f"/jobs/{path_segment('id', id)}/refusals",
        parse,
        query=query_values(
            {
                "limit": limit,
                "cursor": cursor,
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
    response_200 = JobRefusalPage.from_dict(data)

    return response_200
