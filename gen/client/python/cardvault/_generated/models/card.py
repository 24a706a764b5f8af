from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.workflow_status import WorkflowStatus

if TYPE_CHECKING:
    from ..models.identification import Identification
    from ..models.metadata import Metadata
    from ..models.photo import Photo
    from ..models.pricing import Pricing


T = TypeVar("T", bound="Card")


@_attrs_define
class Card:
    id: str
    workflow_status: WorkflowStatus
    """ The service derives the status from the card's data. It changes by one transition at a time: `imported` →
    `identified` → `priced` → `photographed` → `listed` → `sold`. `photographed` means that the card has a photo
    with
    the role `listing`. Publishing accepts a photo of any role, so `priced` → `listed` is possible too.
    `needs_review`
    means that automatic identification failed, `archived` that the card was archived. A card goes back from
    `identified` to `needs_review` if a review of it in the dashboard is undone.
     """
    title: None | str
    """ The same as `identification.title`. It is repeated here because events have it here. """
    set_: None | str
    """ The same as `identification.set`. """
    number: None | str
    """ The same as `identification.number`. """
    identification: Identification
    """ The description of the card and how it was identified. """
    pricing: Pricing
    """ The asking price, the floor price and the cost of the card. The asking price is the price of the card's
    listing
    too: a change while the listing is `live` revises the listing. `floor_price` is the lowest asking price that the
    card may have, in the currency of the asking price; a card without one has that of the account.
     """
    location: None | str
    """ The place where the card is stored, outermost segment first. """
    batch_id: None | str
    """ The batch that contains the card. """
    listing_id: None | str
    """ The newest listing with the status `publishing`, `live`, `ending` or `sold`. """
    sale_id: None | str
    """ The sale by which the card is sold. Null for a card that is not sold, also after its return. """
    photos: list[Photo]
    """ At most one photo per role, in the order front, back, listing. """
    sku: None | str
    """ The owner's article number. """
    external_id: None | str
    """ The identifier of the card in a system of the owner. No two cards of an account have the same one. """
    notes: None | str
    """ The owner's notes. """
    metadata: Metadata
    """ Values of the owner, by keys of 1 to 40 characters: `Metadata.from_dict({'consignor': 'Ada'})`. """
    version: int
    """ Starts at 1 and increases by 1 with each change. The ETag of the card is the version in quotation marks. """
    created_at: datetime.datetime
    """ An RFC 3339 time in UTC with six decimals. """
    updated_at: datetime.datetime
    """ An RFC 3339 time in UTC with six decimals. """
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        workflow_status = str(self.workflow_status)

        title: None | str
        title = self.title

        set_: None | str
        set_ = self.set_

        number: None | str
        number = self.number

        identification = self.identification.to_dict()

        pricing = self.pricing.to_dict()

        location: None | str
        location = self.location

        batch_id: None | str
        batch_id = self.batch_id

        listing_id: None | str
        listing_id = self.listing_id

        sale_id: None | str
        sale_id = self.sale_id

        photos = []
        for photos_item_data in self.photos:
            photos_item = photos_item_data.to_dict()
            photos.append(photos_item)

        sku: None | str
        sku = self.sku

        external_id: None | str
        external_id = self.external_id

        notes: None | str
        notes = self.notes

        metadata = self.metadata.to_dict()

        version = self.version

        created_at = self.created_at.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")

        updated_at = self.updated_at.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "workflow_status": workflow_status,
                "title": title,
                "set": set_,
                "number": number,
                "identification": identification,
                "pricing": pricing,
                "location": location,
                "batch_id": batch_id,
                "listing_id": listing_id,
                "sale_id": sale_id,
                "photos": photos,
                "sku": sku,
                "external_id": external_id,
                "notes": notes,
                "metadata": metadata,
                "version": version,
                "created_at": created_at,
                "updated_at": updated_at,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.identification import Identification  # noqa: PLC0415
        from ..models.metadata import Metadata  # noqa: PLC0415
        from ..models.photo import Photo  # noqa: PLC0415
        from ..models.pricing import Pricing  # noqa: PLC0415

        d = dict(src_dict)
        id = d.pop("id")

        workflow_status = WorkflowStatus(d.pop("workflow_status"))

        def _parse_title(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        title = _parse_title(d.pop("title"))

        def _parse_set_(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        set_ = _parse_set_(d.pop("set"))

        def _parse_number(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        number = _parse_number(d.pop("number"))

        identification = Identification.from_dict(d.pop("identification"))

        pricing = Pricing.from_dict(d.pop("pricing"))

        def _parse_location(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        location = _parse_location(d.pop("location"))

        def _parse_batch_id(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        batch_id = _parse_batch_id(d.pop("batch_id"))

        def _parse_listing_id(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        listing_id = _parse_listing_id(d.pop("listing_id"))

        def _parse_sale_id(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        sale_id = _parse_sale_id(d.pop("sale_id"))

        photos = []
        _photos = d.pop("photos")
        for photos_item_data in _photos:
            photos_item = Photo.from_dict(photos_item_data)

            photos.append(photos_item)

        def _parse_sku(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        sku = _parse_sku(d.pop("sku"))

        def _parse_external_id(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        external_id = _parse_external_id(d.pop("external_id"))

        def _parse_notes(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        notes = _parse_notes(d.pop("notes"))

        metadata = Metadata.from_dict(d.pop("metadata"))

        version = d.pop("version")

        created_at = datetime.datetime.fromisoformat(d.pop("created_at").replace("Z", "+00:00"))

        updated_at = datetime.datetime.fromisoformat(d.pop("updated_at").replace("Z", "+00:00"))

        card = cls(
            id=id,
            workflow_status=workflow_status,
            title=title,
            set_=set_,
            number=number,
            identification=identification,
            pricing=pricing,
            location=location,
            batch_id=batch_id,
            listing_id=listing_id,
            sale_id=sale_id,
            photos=photos,
            sku=sku,
            external_id=external_id,
            notes=notes,
            metadata=metadata,
            version=version,
            created_at=created_at,
            updated_at=updated_at,
        )

        card.additional_properties = d
        return card

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
