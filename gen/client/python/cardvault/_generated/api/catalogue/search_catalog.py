from __future__ import annotations

from typing import Any, TypeAlias

from ...models.catalog_card_list import CatalogCardList
from ...models.game import Game
from ...types import Request, header_values, query_values

Result: TypeAlias = CatalogCardList


def request(
    *,
    q: str | None = None,
    game: Game | None = None,
    set_: str | None = None,
    number: str | None = None,
    limit: int | None = None,
    if_none_match: int | str | None = None,
) -> Request[Result]:
    return Request(
        "GET",
        f"/catalog/cards",
        parse,
        query=query_values(
            {
                "q": q,
                "game": game,
                "set": set_,
                "number": number,
                "limit": limit,
            }
        ),
        headers=header_values(
            {
                "If-None-Match": if_none_match,
            }
        ),
    )


def parse(data: Any) -> Result:
    """Convert the JSON of a response. Raise KeyError, TypeError, ValueError or AttributeError if it is invalid."""
    response_200 = CatalogCardList.from_dict(data)

    return response_200
