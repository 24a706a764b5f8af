from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from ...models.event_kind import EventKind
from ...models.webhook_with_secret import WebhookWithSecret
from ...types import UNSET, Request, Unset, header_values, json_object

Result: TypeAlias = WebhookWithSecret


def request(
    *,
    url: str,
    events: Sequence[EventKind] | Unset = UNSET,
    idempotency_key: str | None = None,
) -> Request[Result]:
    return Request(
        "POST",
        f"/webhooks",
        parse,
        headers=header_values(
            {
                "Idempotency-Key": idempotency_key,
            }
        ),
        json=json_object(
            {
                "url": url,
                "events": events,
            }
        ),
    )


def parse(data: Any) -> Result:
    """Convert the JSON of a response. Raise KeyError, TypeError, ValueError or AttributeError if it is invalid."""
    response_201 = WebhookWithSecret.from_dict(data)

    return response_201
