from __future__ import annotations

from typing import Any, TypeAlias

from ...models.stock_report import StockReport
from ...types import Request, header_values, query_values

Result: TypeAlias = StockReport


def request(
    *,
    days: int | None = None,
    if_none_match: int | str | None = None,
) -> Request[Result]:
    return Request(
        "GET",
        f"/reports/stock",
        parse,
        query=query_values(
            {
                "days": days,
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
    response_200 = StockReport.from_dict(data)

    return response_200
