from __future__ import annotations

from typing import Any, TypeAlias

from ...models.event_kind import EventKind
from ...models.webhook_delivery import WebhookDelivery
from ...types import UNSET, Request, Unset, header_values, json_object, path_segment

Result: TypeAlias = WebhookDelivery


def request(
    id: str,
    *,
    event: EventKind | Unset = UNSET,
    idempotency_key: str | None = None,
) -> Request[Result]:
    return Request(
        "POST",
        f"/webhooks/{path_segment('id', id)}/test",
        parse,
        headers=header_values(
            {
                "Idempotency-Key": idempotency_key,
            }
        ),
        json=json_object(
            {
                "event": event,
            }
        )
        or UNSET,
    )


def parse(data: Any) -> Result:
    """Convert the JSON of a response. Raise KeyError, TypeError, ValueError or AttributeError if it is invalid."""
    response_202 = WebhookDelivery.from_dict(data)

    return response_202
