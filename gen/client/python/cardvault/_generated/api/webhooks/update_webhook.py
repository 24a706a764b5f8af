from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from ...models.event_kind import EventKind
from ...models.webhook import Webhook
from ...types import UNSET, Request, Unset, json_object, path_segment

Result: TypeAlias = Webhook


def request(
    id: str,
    *,
    url: str | Unset = UNSET,
    events: Sequence[EventKind] | Unset = UNSET,
    enabled: bool | Unset = UNSET,
) -> Request[Result]:
    return Request(
        "PATCH",
        f"/webhooks/{path_segment('id', id)}",
        parse,
        json=json_object(
            {
                "url": url,
                "events": events,
                "enabled": enabled,
            }
        ),
    )


def parse(data: Any) -> Result:
    """Convert the JSON of a response. Raise KeyError, TypeError, ValueError or AttributeError if it is invalid."""
    response_200 = Webhook.from_dict(data)

    return response_200
