from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.money import Money


T = TypeVar("T", bound="RefundParts")


@_attrs_define
class RefundParts:
    """What a refund returned. `amount` of the refund is the sum of `item`, `shipping` and `tax`, which the buyer got back;
    `fees` is what the marketplace returned to you.

    """

    item: Money
    shipping: Money
    tax: Money
    fees: Money
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        item = self.item.to_dict()

        shipping = self.shipping.to_dict()

        tax = self.tax.to_dict()

        fees = self.fees.to_dict()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "item": item,
                "shipping": shipping,
                "tax": tax,
                "fees": fees,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.money import Money  # noqa: PLC0415

        d = dict(src_dict)
        item = Money.from_dict(d.pop("item"))

        shipping = Money.from_dict(d.pop("shipping"))

        tax = Money.from_dict(d.pop("tax"))

        fees = Money.from_dict(d.pop("fees"))

        refund_parts = cls(
            item=item,
            shipping=shipping,
            tax=tax,
            fees=fees,
        )

        refund_parts.additional_properties = d
        return refund_parts

    @property
    def additional_keys(self) -> list[str]:
        return list(self.additional_properties.keys())

    def __getitem__(self, key: str) -> Any:
        return self.additional_properties[key]

    def __setitem__(self, key: str, value: Any) -> None:
        self.additional_properties[key] = value

    def __delitem__(self, key: str) -> None:
        del self.additional_properties[key]

    def __contains__(self, key: str) -> bool:
        return key in self.additional_properties
