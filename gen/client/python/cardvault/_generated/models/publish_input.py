from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define

from ..models.marketplace import Marketplace
from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.money import Money


T = TypeVar("T", bound="PublishInput")


@_attrs_define
class PublishInput:
    """Absent fields are taken from the card and the account. `price` becomes the asking price of the card."""

    marketplace: Marketplace | Unset = UNSET
    """ `sandbox` is the sandbox marketplace that comes with CardVault. Expect other marketplaces in responses. A
    request can name those that the server knows. """
    price: Money | Unset = UNSET
    title: str | Unset = UNSET
    """ The title that the marketplace shows. """

    def to_dict(self) -> dict[str, Any]:
        marketplace: str | Unset = UNSET
        if not isinstance(self.marketplace, Unset):
            marketplace = str(self.marketplace)

        price: dict[str, Any] | Unset = UNSET
        if not isinstance(self.price, Unset):
            price = self.price.to_dict()

        title = self.title

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if marketplace is not UNSET:
            field_dict["marketplace"] = marketplace
        if price is not UNSET:
            field_dict["price"] = price
        if title is not UNSET:
            field_dict["title"] = title

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.money import Money  # noqa: PLC0415

        d = dict(src_dict)
        _marketplace = d.pop("marketplace", UNSET)
        marketplace: Marketplace | Unset
        if isinstance(_marketplace, Unset):
            marketplace = UNSET
        else:
            marketplace = Marketplace(_marketplace)

        _price = d.pop("price", UNSET)
        price: Money | Unset
        if isinstance(_price, Unset):
            price = UNSET
        else:
            price = Money.from_dict(_price)

        title = d.pop("title", UNSET)

        publish_input = cls(
            marketplace=marketplace,
            price=price,
            title=title,
        )

        return publish_input
