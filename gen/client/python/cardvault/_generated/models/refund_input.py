from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.money import Money
    from ..models.refund_parts_input import RefundPartsInput


T = TypeVar("T", bound="RefundInput")


@_attrs_define
class RefundInput:
    """At most one of `amount` and `parts`. `amount` is refunded of the price first; what exceeds the price is of the
    shipping, then of the tax.

    """

    restock: bool
    """ Whether the card came back and can be sold again. """
    amount: Money | Unset = UNSET
    reason: str | Unset = UNSET
    """ Why the amount is refunded. """
    parts: RefundPartsInput | Unset = UNSET
    """ What the refund returns. The buyer gets `item` of the price, `shipping` of `shipping_charged` and `tax` of
    `tax`, each at most what is not refunded yet. `fees` is what the marketplace returns to you of `fees`. An absent
    part is 0. """

    def to_dict(self) -> dict[str, Any]:
        restock = self.restock

        amount: dict[str, Any] | Unset = UNSET
        if not isinstance(self.amount, Unset):
            amount = self.amount.to_dict()

        reason = self.reason

        parts: dict[str, Any] | Unset = UNSET
        if not isinstance(self.parts, Unset):
            parts = self.parts.to_dict()

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
        if parts is not UNSET:
            field_dict["parts"] = parts

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.money import Money  # noqa: PLC0415
        from ..models.refund_parts_input import RefundPartsInput  # noqa: PLC0415

        d = dict(src_dict)
        restock = d.pop("restock")

        _amount = d.pop("amount", UNSET)
        amount: Money | Unset
        if isinstance(_amount, Unset):
            amount = UNSET
        else:
            amount = Money.from_dict(_amount)

        reason = d.pop("reason", UNSET)

        _parts = d.pop("parts", UNSET)
        parts: RefundPartsInput | Unset
        if isinstance(_parts, Unset):
            parts = UNSET
        else:
            parts = RefundPartsInput.from_dict(_parts)

        refund_input = cls(
            restock=restock,
            amount=amount,
            reason=reason,
            parts=parts,
        )

        return refund_input
