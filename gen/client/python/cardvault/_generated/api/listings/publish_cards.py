from __future__ import annotations

from typing import Any, TypeAlias

from ...models.marketplace import Marketplace
from ...models.publish_many_input import PublishManyInput
from ...models.publish_results import PublishResults
from ...types import UNSET, Request, Unset, header_values

Result: TypeAlias = PublishResults


def request(
    *,
    card_ids: list[str],
    marketplace: Marketplace | Unset = UNSET,
    atomic: bool | Unset = UNSET,
    idempotency_key: str | None = None,
) -> Request[Result]:
    return Request(
        "POST",
        f"/listings/publish",
        parse,
        headers=header_values(
            {
                "Idempotency-Key": idempotency_key,
            }
        ),
        json=PublishManyInput(
            card_ids=card_ids,
            marketplace=marketplace,
            atomic=atomic,
        ).to_dict(),
    )


def parse(data: Any) -> Result:
    """Convert the JSON of a response. Raise KeyError, TypeError, ValueError or AttributeError if it is invalid."""
    response_200 = PublishResults.from_dict(data)

    return response_200
