from __future__ import annotations

from typing import Any, TypeAlias

from ...models.candidate_list import CandidateList
from ...types import Request, header_values, path_segment

Result: TypeAlias = CandidateList


def request(
    id: str,
    *,
    if_none_match: int | str | None = None,
) -> Request[Result]:
    return Request(
        "GET",
        f"/cards/{path_segment('id', id)}/candidates",
        parse,
        headers=header_values(
            {
                "If-None-Match": if_none_match,
            }
        ),
    )


def parse(data: Any) -> Result:
    """Convert the JSON of a response. Raise KeyError, TypeError, ValueError or AttributeError if it is invalid."""
    response_200 = CandidateList.from_dict(data)

    return response_200
