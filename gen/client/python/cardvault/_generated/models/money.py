from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

from ..models.currency import Currency

T = TypeVar("T", bound="Money")


@_attrs_define
class Money:
    amount: int
    """ The amount in minor units of the currency. """
    currency: Currency
    """ An ISO 4217 currency code. """

    def to_dict(self) -> dict[str, Any]:
        amount = self.amount

        currency = str(self.currency)

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "amount": amount,
                "currency": currency,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        amount = d.pop("amount")

        currency = Currency(d.pop("currency"))

        money = cls(
            amount=amount,
            currency=currency,
        )

        return money
