from __future__ import annotations

from typing import Any, TypeAlias

from ...models.card_update import CardUpdate
from ...models.card_update_results import CardUpdateResults
from ...models.card_updates import CardUpdates
from ...types import UNSET, Request, Unset

Result: TypeAlias = CardUpdateResults


def request(
    *,
    updates: list[CardUpdate],
    atomic: bool | Unset = UNSET,
) -> Request[Result]:
    return Request(
        "PATCH",
        f"/cards",
        parse,
        json=CardUpdates(
            updates=updates,
            atomic=atomic,
        ).to_dict(),
    )


def parse(data: Any) -> Result:
    """Convert the JSON of a response. Raise KeyError, TypeError, ValueError or AttributeError if it is invalid."""
    response_200 = CardUpdateResults.from_dict(data)

    return response_200
