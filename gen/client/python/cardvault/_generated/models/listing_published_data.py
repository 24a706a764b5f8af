from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.marketplace import Marketplace

if TYPE_CHECKING:
    from ..models.money import Money


T = TypeVar("T", bound="ListingPublishedData")


@_attrs_define
class ListingPublishedData:
    """A listing went live."""

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
    url: str
    """ The URL of the listing on the marketplace. """
    price: Money
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        card_id = self.card_id

        title = self.title

        set_ = self.set_

        number = self.number

        listing_id = self.listing_id

        marketplace = str(self.marketplace)

        external_id = self.external_id

        url = self.url

        price = self.price.to_dict()

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
                "url": url,
                "price": price,
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

        listing_id = d.pop("listing_id")

        marketplace = Marketplace(d.pop("marketplace"))

        external_id = d.pop("external_id")

        url = d.pop("url")

        price = Money.from_dict(d.pop("price"))

        listing_published_data = cls(
            card_id=card_id,
            title=title,
            set_=set_,
            number=number,
            listing_id=listing_id,
            marketplace=marketplace,
            external_id=external_id,
            url=url,
            price=price,
        )

        listing_published_data.additional_properties = d
        return listing_published_data

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
