from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from ...models.card import Card
from ...models.identification_patch import IdentificationPatch
from ...models.metadata_patch import MetadataPatch
from ...models.pricing_patch import PricingPatch
from ...types import UNSET, Request, Unset, header_values, json_object, path_segment

Result: TypeAlias = Card


def request(
    id: str,
    *,
    identification: IdentificationPatch | Mapping[str, Any] | Unset = UNSET,
    pricing: PricingPatch | Mapping[str, Any] | Unset = UNSET,
    location: None | str | Unset = UNSET,
    sku: None | str | Unset = UNSET,
    notes: None | str | Unset = UNSET,
    batch_id: None | str | Unset = UNSET,
    external_id: None | str | Unset = UNSET,
    metadata: MetadataPatch | Mapping[str, Any] | None | Unset = UNSET,
    archived: bool | Unset = UNSET,
    if_match: int | str | None = None,
) -> Request[Result]:
    return Request(
        "PATCH",
        f"/cards/{path_segment('id', id)}",
        parse,
        headers=header_values(
            {
                "If-Match": if_match,
            }
        ),
        json=json_object(
            {
                "identification": identification,
                "pricing": pricing,
                "location": location,
                "sku": sku,
                "notes": notes,
                "batch_id": batch_id,
                "external_id": external_id,
                "metadata": metadata,
                "archived": archived,
            }
        ),
    )


def parse(data: Any) -> Result:
    """Convert the JSON of a response. Raise KeyError, TypeError, ValueError or AttributeError if it is invalid."""
    response_200 = Card.from_dict(data)

    return response_200
