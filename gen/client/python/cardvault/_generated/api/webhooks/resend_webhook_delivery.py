from __future__ import annotations

from typing import Any, TypeAlias

from ...models.webhook_delivery import WebhookDelivery
from ...types import Request, header_values, path_segment

Result: TypeAlias = WebhookDelivery


def request(
    id: str,
    delivery: str,
    *,
    idempotency_key: str | None = None,
) -> Request[Result]:
    return Request(
        "POST",
        f"/webhooks/{path_segment('id', id)}/deliveries/{path_segment('delivery', delivery)}/resend",
        parse,
        headers=header_values(
            {
                "Idempotency-Key": idempotency_key,
            }
        ),
    )


def parse(data: Any) -> Result:
    """Convert the JSON of a response. Raise KeyError, TypeError, ValueError or AttributeError if it is invalid."""
    response_202 = WebhookDelivery.from_dict(data)

    return response_202
