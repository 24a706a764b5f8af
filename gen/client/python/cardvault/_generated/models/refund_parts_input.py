from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.money import Money


T = TypeVar("T", bound="RefundPartsInput")


@_attrs_define
class RefundPartsInput:
    """What the refund returns. The buyer gets `item` of the price, `shipping` of `shipping_charged` and `tax` of `tax`,
    each at most what is not refunded yet. `fees` is what the marketplace returns to you of `fees`. An absent part is 0.

    """

    item: Money | Unset = UNSET
    shipping: Money | Unset = UNSET
    tax: Money | Unset = UNSET
    fees: Money | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        item: dict[str, Any] | Unset = UNSET
        if not isinstance(self.item, Unset):
            item = self.item.to_dict()

        shipping: dict[str, Any] | Unset = UNSET
        if not isinstance(self.shipping, Unset):
            shipping = self.shipping.to_dict()

        tax: dict[str, Any] | Unset = UNSET
        if not isinstance(self.tax, Unset):
            tax = self.tax.to_dict()

        fees: dict[str, Any] | Unset = UNSET
        if not isinstance(self.fees, Unset):
            fees = self.fees.to_dict()

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if item is not UNSET:
            field_dict["item"] = item
        if shipping is not UNSET:
            field_dict["shipping"] = shipping
        if tax is not UNSET:
            field_dict["tax"] = tax
        if fees is not UNSET:
            field_dict["fees"] = fees

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.money import Money  # noqa: PLC0415

        d = dict(src_dict)
        _item = d.pop("item", UNSET)
        item: Money | Unset
        if isinstance(_item, Unset):
            item = UNSET
        else:
            item = Money.from_dict(_item)

        _shipping = d.pop("shipping", UNSET)
        shipping: Money | Unset
        if isinstance(_shipping, Unset):
            shipping = UNSET
        else:
            shipping = Money.from_dict(_shipping)

        _tax = d.pop("tax", UNSET)
        tax: Money | Unset
        if isinstance(_tax, Unset):
            tax = UNSET
        else:
            tax = Money.from_dict(_tax)

        _fees = d.pop("fees", UNSET)
        fees: Money | Unset
        if isinstance(_fees, Unset):
            fees = UNSET
        else:
            fees = Money.from_dict(_fees)

        refund_parts_input = cls(
            item=item,
            shipping=shipping,
            tax=tax,
            fees=fees,
        )

        return refund_parts_input
