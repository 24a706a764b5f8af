from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from ...models.card_update import CardUpdate
from ...models.card_update_results import CardUpdateResults
from ...types import UNSET, Request, Unset, json_object

Result: TypeAlias = CardUpdateResults


def request(
    *,
    updates: Sequence[CardUpdate | Mapping[str, Any]],
    atomic: bool | Unset = UNSET,
) -> Request[Result]:
    return Request(
        "PATCH",
        f"/cards",
        parse,
        json=json_object(
            {
                "updates": updates,
                "atomic": atomic,
            }
        ),
    )


def parse(data: Any) -> Result:
    """Convert the JSON of a response. Raise KeyError, TypeError, ValueError or AttributeError if it is invalid."""
    response_200 = CardUpdateResults.from_dict(data)

    return response_200
