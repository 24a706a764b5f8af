from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from ...models.condition import Condition
from ...models.game import Game
from ...models.scan_cards import ScanCards
from ...models.scan_pairing import ScanPairing
from ...models.scan_results import ScanResults
from ...types import UNSET, Request, ScanPhoto, Unset, form, header_values

Result: TypeAlias = ScanResults


def request(
    *,
    photos: Sequence[ScanPhoto],
    pairing: ScanPairing | Unset = UNSET,
    cards: ScanCards | Unset = UNSET,
    batch_id: str | Unset = UNSET,
    location: str | Unset = UNSET,
    condition: Condition | Unset = UNSET,
    game: Game | Unset = UNSET,
    idempotency_key: str | None = None,
) -> Request[Result]:
    return Request(
        "POST",
        f"/cards/scan",
        parse,
        headers=header_values(
            {
                "Idempotency-Key": idempotency_key,
            }
        ),
        form=form(
            {
                "photos": photos,
                "pairing": pairing,
                "cards": cards,
                "batch_id": batch_id,
                "location": location,
                "condition": condition,
                "game": game,
            }
        ),
    )


def parse(data: Any) -> Result:
    """Convert the JSON of a response. Raise KeyError, TypeError, ValueError or AttributeError if it is invalid."""
    response_200 = ScanResults.from_dict(data)

    return response_200
