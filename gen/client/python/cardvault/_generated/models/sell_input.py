from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define

from ..models.sale_channel import SaleChannel
from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.fee import Fee
    from ..models.money import Money


T = TypeVar("T", bound="SellInput")


@_attrs_define
class SellInput:
    channel: SaleChannel
    """ Where the card was sold: a marketplace, the own shop, face to face, or elsewhere. Expect other marketplaces
    in responses. A request can name those that the server knows. """
    price: Money
    sold_at: datetime.datetime | Unset = UNSET
    """ When the card was sold, at most a day in the future. The default is now. """
    fees: list[Fee] | Unset = UNSET
    """ The fees that you paid. """
    order_reference: str | Unset = UNSET
    """ The number of the order. """

    def to_dict(self) -> dict[str, Any]:
        channel = str(self.channel)

        price = self.price.to_dict()

        sold_at: str | Unset = UNSET
        if not isinstance(self.sold_at, Unset):
            sold_at = self.sold_at.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")

        fees: list[dict[str, Any]] | Unset = UNSET
        if not isinstance(self.fees, Unset):
            fees = []
            for fees_item_data in self.fees:
                fees_item = fees_item_data.to_dict()
                fees.append(fees_item)

        order_reference = self.order_reference

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "channel": channel,
                "price": price,
            }
        )
        if sold_at is not UNSET:
            field_dict["sold_at"] = sold_at
        if fees is not UNSET:
            field_dict["fees"] = fees
        if order_reference is not UNSET:
            field_dict["order_reference"] = order_reference

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.fee import Fee  # noqa: PLC0415
        from ..models.money import Money  # noqa: PLC0415

        d = dict(src_dict)
        channel = SaleChannel(d.pop("channel"))

        price = Money.from_dict(d.pop("price"))

        _sold_at = d.pop("sold_at", UNSET)
        sold_at: datetime.datetime | Unset
        if isinstance(_sold_at, Unset):
            sold_at = UNSET
        else:
            sold_at = datetime.datetime.fromisoformat(_sold_at.replace("Z", "+00:00"))

        _fees = d.pop("fees", UNSET)
        fees: list[Fee] | Unset = UNSET
        if _fees is not UNSET:
            fees = []
            for fees_item_data in _fees:
                fees_item = Fee.from_dict(fees_item_data)

                fees.append(fees_item)

        order_reference = d.pop("order_reference", UNSET)

        sell_input = cls(
            channel=channel,
            price=price,
            sold_at=sold_at,
            fees=fees,
            order_reference=order_reference,
        )

        return sell_input
