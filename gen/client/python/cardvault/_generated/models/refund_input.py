from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.money import Money


T = TypeVar("T", bound="RefundInput")


@_attrs_define
class RefundInput:
    restock: bool
    """ Whether the card came back and can be sold again. """
    amount: Money | Unset = UNSET
    reason: str | Unset = UNSET
    """ Why the amount is refunded. """

    def to_dict(self) -> dict[str, Any]:
        restock = self.restock

        amount: dict[str, Any] | Unset = UNSET
        if not isinstance(self.amount, Unset):
            amount = self.amount.to_dict()

        reason = self.reason

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "restock": restock,
            }
        )
        if amount is not UNSET:
            field_dict["amount"] = amount
        if reason is not UNSET:
            field_dict["reason"] = reason

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.money import Money  # noqa: PLC0415

        d = dict(src_dict)
        restock = d.pop("restock")

        _amount = d.pop("amount", UNSET)
        amount: Money | Unset
        if isinstance(_amount, Unset):
            amount = UNSET
        else:
            amount = Money.from_dict(_amount)

        reason = d.pop("reason", UNSET)

        refund_input = cls(
            restock=restock,
            amount=amount,
            reason=reason,
        )

        return refund_input
