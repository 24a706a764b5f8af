from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from ...models.account import Account
from ...models.currency import Currency
from ...models.identification_settings_patch import IdentificationSettingsPatch
from ...models.money import Money
from ...types import UNSET, Request, Unset, json_object

Result: TypeAlias = Account


def request(
    *,
    name: str | Unset = UNSET,
    currency: Currency | Unset = UNSET,
    time_zone: str | Unset = UNSET,
    floor_price: Money | Mapping[str, Any] | None | Unset = UNSET,
    identification: IdentificationSettingsPatch | Mapping[str, Any] | Unset = UNSET,
) -> Request[Result]:
    return Request(
        "PATCH",
        f"/account",
        parse,
        json=json_object(
            {
                "name": name,
                "currency": currency,
                "time_zone": time_zone,
                "floor_price": floor_price,
                "identification": identification,
            }
        ),
    )


def parse(data: Any) -> Result:
    """Convert the JSON of a response. Raise KeyError, TypeError, ValueError or AttributeError if it is invalid."""
    response_200 = Account.from_dict(data)

    return response_200
