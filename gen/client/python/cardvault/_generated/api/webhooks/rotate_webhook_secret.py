from __future__ import annotations

from typing import Any, TypeAlias

from ...models.rotate_secret_input import RotateSecretInput
from ...models.webhook_with_secret import WebhookWithSecret
from ...types import UNSET, Request, Unset, header_values, path_segment

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
        json=RotateSecretInput(
            grace_seconds=grace_seconds,
        ).to_dict()
        or UNSET,
    )


def parse(data: Any) -> Result:
    """Convert the JSON of a response. Raise KeyError, TypeError, ValueError or AttributeError if it is invalid."""
    response_200 = WebhookWithSecret.from_dict(data)

    return response_200
