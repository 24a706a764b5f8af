from __future__ import annotations

from typing import Any, TypeAlias

from ...types import Request, path_segment

Result: TypeAlias = None


def request(
    id: str,
    previous: str,
) -> Request[Result]:
    return Request(
        "DELETE",
        f"/webhooks/{path_segment('id', id)}/previous-secrets/{path_segment('previous', previous)}",
        parse,
    )


def parse(data: Any) -> Result:
    return None
