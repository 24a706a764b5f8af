from __future__ import annotations

from typing import Any, TypeAlias

from ...models.webhook_with_secret import WebhookWithSecret
from ...types import UNSET, Request, Unset, header_values, json_object, path_segment

Result: TypeAlias = WebhookWithSecret


def request(
    id: str,
    *,
    grace_seconds: int | Unset = UNSET,
    idempotency_key: str | None = None,
) -> Request[Result]:
    return Request(
        "POST",
        f"/webhooks/{path_segment('id', id)}/rotate-secret",
        parse,
        headers=header_values(
            {
                "Idempotency-Key": idempotency_key,
            }
        ),
        json=json_object(
            {
                "grace_seconds": grace_seconds,
            }
        )
        or UNSET,
    )


def parse(data: Any) -> Result:
    """Convert the JSON of a response. Raise KeyError, TypeError, ValueError or AttributeError if it is invalid."""
    response_200 = WebhookWithSecret.from_dict(data)

    return response_200
