from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from ...models.money import Money
from ...models.refund_parts_input import RefundPartsInput
from ...models.sale import Sale
from ...types import UNSET, Request, Unset, header_values, json_object, path_segment

Result: TypeAlias = Sale


def request(
    id: str,
    *,
    restock: bool,
    amount: Money | Mapping[str, Any] | Unset = UNSET,
    reason: str | Unset = UNSET,
    parts: RefundPartsInput | Mapping[str, Any] | Unset = UNSET,
    idempotency_key: str | None = None,
) -> Request[Result]:
    return Request(
        "POST",
        f"/sales/{path_segment('id', id)}/refund",
        parse,
        headers=header_values(
            {
                "Idempotency-Key": idempotency_key,
            }
        ),
        json=json_object(
            {
                "restock": restock,
                "amount": amount,
                "reason": reason,
                "parts": parts,
            }
        ),
    )


def parse(data: Any) -> Result:
    """Convert the JSON of a response. Raise KeyError, TypeError, ValueError or AttributeError if it is invalid."""
    response_200 = Sale.from_dict(data)

    return response_200
