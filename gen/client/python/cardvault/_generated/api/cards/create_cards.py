from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from ...models.card_input import CardInput
from ...models.card_list import CardList
from ...models.cards_input_on_conflict import CardsInputOnConflict
from ...models.hints import Hints
from ...types import UNSET, Request, Unset, header_values, json_object

Result: TypeAlias = CardList


def request(
    *,
    cards: Sequence[CardInput | Mapping[str, Any]],
    on_conflict: CardsInputOnConflict | Unset = UNSET,
    hints: Hints | Mapping[str, Any] | Unset = UNSET,
    idempotency_key: str | None = None,
) -> Request[Result]:
    return Request(
        "POST",
        f"/cards",
        parse,
        headers=header_values(
            {
                "Idempotency-Key": idempotency_key,
            }
        ),
        json=json_object(
            {
                "cards": cards,
                "on_conflict": on_conflict,
                "hints": hints,
            }
        ),
    )


def parse(data: Any) -> Result:
    """Convert the JSON of a response. Raise KeyError, TypeError, ValueError or AttributeError if it is invalid."""
    response_201 = CardList.from_dict(data)

    return response_201
