from __future__ import annotations

from typing import Any, TypeAlias

from ...types import Request, header_values, path_segment

Result: TypeAlias = None


def request(
    id: str,
    *,
    if_match: int | str | None = None,
) -> Request[Result]:
    return Request(
        "DELETE",
        f"/cards/{path_segment('id', id)}",
        parse,
        headers=header_values(
            {
                "If-Match": if_match,
            }
        ),
    )


def parse(data: Any) -> Result:
    return None
