from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.listing_status import ListingStatus
from ..models.marketplace import Marketplace

if TYPE_CHECKING:
    from ..models.listing_failure import ListingFailure
    from ..models.listing_revision import ListingRevision
    from ..models.money import Money


T = TypeVar("T", bound="Listing")


@_attrs_define
class Listing:
    id: str
    card_id: str
    marketplace: Marketplace
    """ `sandbox` is the sandbox marketplace that comes with CardVault. Expect other marketplaces in responses. A
    request can name those that the server knows. """
    status: ListingStatus
    """ `publishing` → `live` → `sold` or `ended`; `publishing` → `failed`; `live` → `ending` → `ended`, or `sold`
    if the card is bought first. If an order becomes visible after the listing had ended, `ended` → `sold`. """
    title: str
    """ The title that the marketplace shows. """
    price: Money
    external_id: None | str
    """ The listing's identifier on the marketplace. """
    url: None | str
    """ The URL of the listing on the marketplace. """
    failure: ListingFailure | None
    revision: ListingRevision
    """ The last change of the title or the price of a live listing. `delayed_until` is when a pending change is
    sent to the
    marketplace, if it has to wait because the listing was changed 250 times today. A later change replaces it.
    Events do not have
    `delayed_until`.
     """
    sold_price: Money | None
    buyer_reference: None | str
    """ The order number on the marketplace. """
    end_reason: None | str
    """ Why the listing ended without a sale: `ended_by_seller`, `ended_at_marketplace`, `not_at_marketplace`,
    `sold_elsewhere` or `given_up`. More values may be added. `sold_elsewhere` is set as soon as the card is sold,
    before the marketplace confirms. """
    published_at: datetime.datetime | None
    """ An RFC 3339 time in UTC with six decimals, or null if it does not apply yet. """
    sold_at: datetime.datetime | None
    """ An RFC 3339 time in UTC with six decimals, or null if it does not apply yet. """
    ended_at: datetime.datetime | None
    """ An RFC 3339 time in UTC with six decimals, or null if it does not apply yet. """
    created_at: datetime.datetime
    """ An RFC 3339 time in UTC with six decimals. """
    updated_at: datetime.datetime
    """ An RFC 3339 time in UTC with six decimals. """
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.listing_failure import ListingFailure  # noqa: PLC0415
        from ..models.money import Money  # noqa: PLC0415

        id = self.id

        card_id = self.card_id

        marketplace = str(self.marketplace)

        status = str(self.status)

        title = self.title

        price = self.price.to_dict()

        external_id: None | str
        external_id = self.external_id

        url: None | str
        url = self.url

        failure: dict[str, Any] | None
        if isinstance(self.failure, ListingFailure):
            failure = self.failure.to_dict()
        else:
            failure = self.failure

        revision = self.revision.to_dict()

        sold_price: dict[str, Any] | None
        if isinstance(self.sold_price, Money):
            sold_price = self.sold_price.to_dict()
        else:
            sold_price = self.sold_price

        buyer_reference: None | str
        buyer_reference = self.buyer_reference

        end_reason: None | str
        end_reason = self.end_reason

        published_at: None | str
        if isinstance(self.published_at, datetime.datetime):
            published_at = self.published_at.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        else:
            published_at = self.published_at

        sold_at: None | str
        if isinstance(self.sold_at, datetime.datetime):
            sold_at = self.sold_at.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        else:
            sold_at = self.sold_at

        ended_at: None | str
        if isinstance(self.ended_at, datetime.datetime):
            ended_at = self.ended_at.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        else:
            ended_at = self.ended_at

        created_at = self.created_at.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")

        updated_at = self.updated_at.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "card_id": card_id,
                "marketplace": marketplace,
                "status": status,
                "title": title,
                "price": price,
                "external_id": external_id,
                "url": url,
                "failure": failure,
                "revision": revision,
                "sold_price": sold_price,
                "buyer_reference": buyer_reference,
                "end_reason": end_reason,
                "published_at": published_at,
                "sold_at": sold_at,
                "ended_at": ended_at,
                "created_at": created_at,
                "updated_at": updated_at,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.listing_failure import ListingFailure  # noqa: PLC0415
        from ..models.listing_revision import ListingRevision  # noqa: PLC0415
        from ..models.money import Money  # noqa: PLC0415

        d = dict(src_dict)
        id = d.pop("id")

        card_id = d.pop("card_id")

        marketplace = Marketplace(d.pop("marketplace"))

        status = ListingStatus(d.pop("status"))

        title = d.pop("title")

        price = Money.from_dict(d.pop("price"))

        def _parse_external_id(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        external_id = _parse_external_id(d.pop("external_id"))

        def _parse_url(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        url = _parse_url(d.pop("url"))

        def _parse_failure(data: object) -> ListingFailure | None:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                failure_type_0 = ListingFailure.from_dict(data)

                return failure_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(ListingFailure | None, data)

        failure = _parse_failure(d.pop("failure"))

        revision = ListingRevision.from_dict(d.pop("revision"))

        def _parse_sold_price(data: object) -> Money | None:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                sold_price_type_0 = Money.from_dict(data)

                return sold_price_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(Money | None, data)

        sold_price = _parse_sold_price(d.pop("sold_price"))

        def _parse_buyer_reference(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        buyer_reference = _parse_buyer_reference(d.pop("buyer_reference"))

        def _parse_end_reason(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        end_reason = _parse_end_reason(d.pop("end_reason"))

        def _parse_published_at(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                componentsschemas_timestamp_or_null_type_0 = datetime.datetime.fromisoformat(
                    data.replace("Z", "+00:00")
                )

                return componentsschemas_timestamp_or_null_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        published_at = _parse_published_at(d.pop("published_at"))

        def _parse_sold_at(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                componentsschemas_timestamp_or_null_type_0 = datetime.datetime.fromisoformat(
                    data.replace("Z", "+00:00")
                )

                return componentsschemas_timestamp_or_null_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        sold_at = _parse_sold_at(d.pop("sold_at"))

        def _parse_ended_at(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                componentsschemas_timestamp_or_null_type_0 = datetime.datetime.fromisoformat(
                    data.replace("Z", "+00:00")
                )

                return componentsschemas_timestamp_or_null_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        ended_at = _parse_ended_at(d.pop("ended_at"))

        created_at = datetime.datetime.fromisoformat(d.pop("created_at").replace("Z", "+00:00"))

        updated_at = datetime.datetime.fromisoformat(d.pop("updated_at").replace("Z", "+00:00"))

        listing = cls(
            id=id,
            card_id=card_id,
            marketplace=marketplace,
            status=status,
            title=title,
            price=price,
            external_id=external_id,
            url=url,
            failure=failure,
            revision=revision,
            sold_price=sold_price,
            buyer_reference=buyer_reference,
            end_reason=end_reason,
            published_at=published_at,
            sold_at=sold_at,
            ended_at=ended_at,
            created_at=created_at,
            updated_at=updated_at,
        )

        listing.additional_properties = d
        return listing

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
