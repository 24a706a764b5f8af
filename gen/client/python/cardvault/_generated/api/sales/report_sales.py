from __future__ import annotations

import datetime
from typing import Any, TypeAlias

from ...models.report_grouping import ReportGrouping
from ...models.sales_report import SalesReport
from ...types import Request, header_values, query_values

Result: TypeAlias = SalesReport


def request(
    *,
    group_by: ReportGrouping,
    since: datetime.datetime | None = None,
    before: datetime.datetime | None = None,
    time_zone: str | None = None,
    if_none_match: int | str | None = None,
) -> Request[Result]:
    return Request(
        "GET",
        f"/reports/sales",
        parse,
        query=query_values(
            {
                "group_by": group_by,
                "since": since,
                "before": before,
                "time_zone": time_zone,
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
    response_200 = SalesReport.from_dict(data)

    return response_200
