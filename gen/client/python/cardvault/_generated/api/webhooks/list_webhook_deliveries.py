from __future__ import annotations

from typing import Any, TypeAlias

from ...models.delivery_state import DeliveryState
from ...models.event_kind import EventKind
from ...models.webhook_delivery_page import WebhookDeliveryPage
from ...types import Request, header_values, path_segment, query_values

Result: TypeAlias = WebhookDeliveryPage


def request(
    id: str,
    *,
    limit: int | None = None,
    cursor: str | None = None,
    state: DeliveryState | None = None,
    event: EventKind | None = None,
    if_none_match: int | str | None = None,
) -> Request[Result]:
    return Request(
        "GET",
        f"/webhooks/{path_segment('id', id)}/deliveries",
        parse,
        query=query_values(
            {
                "limit": limit,
                "cursor": cursor,
                "state": state,
                "event": event,
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
    response_200 = WebhookDeliveryPage.from_dict(data)

    return response_200
