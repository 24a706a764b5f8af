from __future__ import annotations

from typing import Any, TypeAlias

from ...types import Request, path_segment

Result: TypeAlias = None


def request(
    id: str,
    photo: str,
) -> Request[Result]:
    return Request(
        "DELETE",
        f"/cards/{path_segment('id', id)}/photos/{path_segment('photo', photo)}",
        parse,
    )


def parse(data: Any) -> Result:
    return None
