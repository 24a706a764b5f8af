from __future__ import annotations

from typing import Any, TypeAlias

from ...types import Request, path_segment

Result: TypeAlias = None


def request(
    id: str,
) -> Request[Result]:
    return Request(
        "DELETE",
        f"/webhooks/{path_segment('id', id)}",
        parse,
    )


def parse(data: Any) -> Result:
    return None
