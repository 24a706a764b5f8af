from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.marketplace import Marketplace

T = TypeVar("T", bound="ListingEndedData")


@_attrs_define
class ListingEndedData:
    """A listing ended without a sale."""

    card_id: str
    title: str
    """ The name of the card; "" if unknown. """
    set_: str
    """ The name of the set; "" if unknown. """
    number: str
    """ The collector number; "" if unknown. """
    listing_id: str
    marketplace: Marketplace
    """ `sandbox` is the sandbox marketplace that comes with CardVault. Expect other marketplaces in responses. A
    request can name those that the server knows. """
    external_id: str
    """ The listing's identifier on the marketplace. """
    end_reason: str
    """ Why the listing ended: `ended_by_seller`, `ended_at_marketplace`, `not_at_marketplace`, `sold_elsewhere` or
    `given_up`. More values may be added. """
    ended_at: datetime.datetime
    """ An RFC 3339 time in UTC with six decimals. """
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        card_id = self.card_id

        title = self.title

        set_ = self.set_

        number = self.number

        listing_id = self.listing_id

        marketplace = str(self.marketplace)

        external_id = self.external_id

        end_reason = self.end_reason

        ended_at = self.ended_at.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "card_id": card_id,
                "title": title,
                "set": set_,
                "number": number,
                "listing_id": listing_id,
                "marketplace": marketplace,
                "external_id": external_id,
                "end_reason": end_reason,
                "ended_at": ended_at,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        card_id = d.pop("card_id")

        title = d.pop("title")

        set_ = d.pop("set")

        number = d.pop("number")

        listing_id = d.pop("listing_id")

        marketplace = Marketplace(d.pop("marketplace"))

        external_id = d.pop("external_id")

        end_reason = d.pop("end_reason")

        ended_at = datetime.datetime.fromisoformat(d.pop("ended_at").replace("Z", "+00:00"))

        listing_ended_data = cls(
            card_id=card_id,
            title=title,
            set_=set_,
            number=number,
            listing_id=listing_id,
            marketplace=marketplace,
            external_id=external_id,
            end_reason=end_reason,
            ended_at=ended_at,
        )

        listing_ended_data.additional_properties = d
        return listing_ended_data

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
