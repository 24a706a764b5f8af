from __future__ import annotations

import datetime
from typing import Any, TypeAlias

from ...models.resent_deliveries import ResentDeliveries
from ...types import UNSET, Request, Unset, header_values, json_object, path_segment

Result: TypeAlias = ResentDeliveries


def request(
    id: str,
    *,
    since: datetime.datetime | Unset = UNSET,
    idempotency_key: str | None = None,
) -> Request[Result]:
    return Request(
        "POST",
        f"/webhooks/{path_segment('id', id)}/resend-dropped",
        parse,
        headers=header_values(
            {
                "Idempotency-Key": idempotency_key,
            }
        ),
        json=json_object(
            {
                "since": since,
            }
        )
        or UNSET,
    )


def parse(data: Any) -> Result:
    """Convert the JSON of a response. Raise KeyError, TypeError, ValueError or AttributeError if it is invalid."""
    response_202 = ResentDeliveries.from_dict(data)

    return response_202
