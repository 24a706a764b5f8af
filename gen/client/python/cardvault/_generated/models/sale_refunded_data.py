from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.sale_status import SaleStatus

if TYPE_CHECKING:
    from ..models.money import Money


T = TypeVar("T", bound="SaleRefundedData")


@_attrs_define
class SaleRefundedData:
    """A sale was refunded, in part or in full."""

    card_id: str
    title: str
    """ The name of the card; "" if unknown. """
    set_: str
    """ The name of the set; "" if unknown. """
    number: str
    """ The collector number; "" if unknown. """
    sale_id: str
    amount: Money
    refunded: Money
    status: SaleStatus
    """ `refunded` if the price was returned in full, otherwise `completed`. `voided` for a sale that was recorded
    by mistake. `cancelled` is for orders that a marketplace cancels; nothing sets it yet. """
    restocked: bool
    """ Whether the card returned. """
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        card_id = self.card_id

        title = self.title

        set_ = self.set_

        number = self.number

        sale_id = self.sale_id

        amount = self.amount.to_dict()

        refunded = self.refunded.to_dict()

        status = str(self.status)

        restocked = self.restocked

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "card_id": card_id,
                "title": title,
                "set": set_,
                "number": number,
                "sale_id": sale_id,
                "amount": amount,
                "refunded": refunded,
                "status": status,
                "restocked": restocked,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.money import Money  # noqa: PLC0415

        d = dict(src_dict)
        card_id = d.pop("card_id")

        title = d.pop("title")

        set_ = d.pop("set")

        number = d.pop("number")

        sale_id = d.pop("sale_id")

        amount = Money.from_dict(d.pop("amount"))

        refunded = Money.from_dict(d.pop("refunded"))

        status = SaleStatus(d.pop("status"))

        restocked = d.pop("restocked")

        sale_refunded_data = cls(
            card_id=card_id,
            title=title,
            set_=set_,
            number=number,
            sale_id=sale_id,
            amount=amount,
            refunded=refunded,
            status=status,
            restocked=restocked,
        )

        sale_refunded_data.additional_properties = d
        return sale_refunded_data

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
