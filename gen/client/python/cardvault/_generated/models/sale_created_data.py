from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.sale_channel import SaleChannel

if TYPE_CHECKING:
    from ..models.money import Money


T = TypeVar("T", bound="SaleCreatedData")


@_attrs_define
class SaleCreatedData:
    """A sale was recorded, on a marketplace or elsewhere."""

    card_id: str
    title: str
    """ The name of the card; "" if unknown. """
    set_: str
    """ The name of the set; "" if unknown. """
    number: str
    """ The collector number; "" if unknown. """
    sale_id: str
    listing_id: None | str
    """ The listing that was sold; null for a sale elsewhere. """
    channel: SaleChannel
    """ Where the card was sold: a marketplace, the own shop, face to face, or elsewhere. Expect other marketplaces
    in responses. A request can name those that the server knows. """
    gross: Money
    sold_at: datetime.datetime
    """ An RFC 3339 time in UTC with six decimals. """
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        card_id = self.card_id

        title = self.title

        set_ = self.set_

        number = self.number

        sale_id = self.sale_id

        listing_id: None | str
        listing_id = self.listing_id

        channel = str(self.channel)

        gross = self.gross.to_dict()

        sold_at = self.sold_at.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "card_id": card_id,
                "title": title,
                "set": set_,
                "number": number,
                "sale_id": sale_id,
                "listing_id": listing_id,
                "channel": channel,
                "gross": gross,
                "sold_at": sold_at,
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

        def _parse_listing_id(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        listing_id = _parse_listing_id(d.pop("listing_id"))

        channel = SaleChannel(d.pop("channel"))

        gross = Money.from_dict(d.pop("gross"))

        sold_at = datetime.datetime.fromisoformat(d.pop("sold_at").replace("Z", "+00:00"))

        sale_created_data = cls(
            card_id=card_id,
            title=title,
            set_=set_,
            number=number,
            sale_id=sale_id,
            listing_id=listing_id,
            channel=channel,
            gross=gross,
            sold_at=sold_at,
        )

        sale_created_data.additional_properties = d
        return sale_created_data

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
