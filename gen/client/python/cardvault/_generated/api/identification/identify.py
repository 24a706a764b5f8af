from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from ...models.hints import Hints
from ...models.identify_outcome import IdentifyOutcome
from ...types import UNSET, Request, Unset, header_values, json_object

Result: TypeAlias = IdentifyOutcome


def request(
    *,
    card_id: str | Unset = UNSET,
    photo_url: str | Unset = UNSET,
    hints: Hints | Mapping[str, Any] | Unset = UNSET,
    idempotency_key: str | None = None,
) -> Request[Result]:
    return Request(
        "POST",
        f"/identify",
        parse,
        headers=header_values(
            {
                "Idempotency-Key": idempotency_key,
            }
        ),
        json=json_object(
            {
                "card_id": card_id,
                "photo_url": photo_url,
                "hints": hints,
            }
        ),
    )


def parse(data: Any) -> Result:
    """Convert the JSON of a response. Raise KeyError, TypeError, ValueError or AttributeError if it is invalid."""
    response_200 = IdentifyOutcome.from_dict(data)

    return response_200
