from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.hints import Hints
    from ..models.identification_input import IdentificationInput
    from ..models.metadata import Metadata
    from ..models.photo_input import PhotoInput
    from ..models.pricing_input import PricingInput


T = TypeVar("T", bound="CardInput")


@_attrs_define
class CardInput:
    """A card to import. All fields are optional."""

    identification: IdentificationInput | Unset = UNSET
    """ The known fields of the card. A card that has a title is identified. """
    pricing: PricingInput | Unset = UNSET
    """ The asking price, the lowest asking price that the card may have, and the cost of the card. """
    location: str | Unset = UNSET
    """ The place where the card is stored. A path of 1 to 5 segments separated by `/`, outermost first. """
    sku: str | Unset = UNSET
    """ The owner's article number. """
    notes: str | Unset = UNSET
    """ The owner's notes. """
    external_id: str | Unset = UNSET
    """ The identifier of the card in a system of yours. No two cards of an account can have the same one; see
    `on_conflict`. """
    metadata: Metadata | Unset = UNSET
    """ Values of the owner, by keys of 1 to 40 characters: `Metadata.from_dict({'consignor': 'Ada'})`. """
    copies: int | Unset = UNSET
    """ How many cards to import with these values. Cards with an `external_id` have no copies. A request imports at
    most 500 cards. """
    batch_id: str | Unset = UNSET
    photos: list[PhotoInput] | Unset = UNSET
    """ At most one photo per role. """
    identify: bool | Unset = UNSET
    """ Whether to identify the card automatically once it has a photo. The default is true if the card has no
    title. If the card has a title, this field has no effect, because the given title is kept. """
    hints: Hints | Unset = UNSET
    """ What you know about the cards on photos. With `game`, only cards of this game are considered. Cards of the
    `set` and
    in the `language` come before others that match a photo equally well; if no card of the catalogue has them,
    these
    two have no effect.
     """

    def to_dict(self) -> dict[str, Any]:
        identification: dict[str, Any] | Unset = UNSET
        if not isinstance(self.identification, Unset):
            identification = self.identification.to_dict()

        pricing: dict[str, Any] | Unset = UNSET
        if not isinstance(self.pricing, Unset):
            pricing = self.pricing.to_dict()

        location = self.location

        sku = self.sku

        notes = self.notes

        external_id = self.external_id

        metadata: dict[str, Any] | Unset = UNSET
        if not isinstance(self.metadata, Unset):
            metadata = self.metadata.to_dict()

        copies = self.copies

        batch_id = self.batch_id

        photos: list[dict[str, Any]] | Unset = UNSET
        if not isinstance(self.photos, Unset):
            photos = []
            for photos_item_data in self.photos:
                photos_item = photos_item_data.to_dict()
                photos.append(photos_item)

        identify = self.identify

        hints: dict[str, Any] | Unset = UNSET
        if not isinstance(self.hints, Unset):
            hints = self.hints.to_dict()

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if identification is not UNSET:
            field_dict["identification"] = identification
        if pricing is not UNSET:
            field_dict["pricing"] = pricing
        if location is not UNSET:
            field_dict["location"] = location
        if sku is not UNSET:
            field_dict["sku"] = sku
        if notes is not UNSET:
            field_dict["notes"] = notes
        if external_id is not UNSET:
            field_dict["external_id"] = external_id
        if metadata is not UNSET:
            field_dict["metadata"] = metadata
        if copies is not UNSET:
            field_dict["copies"] = copies
        if batch_id is not UNSET:
            field_dict["batch_id"] = batch_id
        if photos is not UNSET:
            field_dict["photos"] = photos
        if identify is not UNSET:
            field_dict["identify"] = identify
        if hints is not UNSET:
            field_dict["hints"] = hints

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.hints import Hints  # noqa: PLC0415
        from ..models.identification_input import IdentificationInput  # noqa: PLC0415
        from ..models.metadata import Metadata  # noqa: PLC0415
        from ..models.photo_input import PhotoInput  # noqa: PLC0415
        from ..models.pricing_input import PricingInput  # noqa: PLC0415

        d = dict(src_dict)
        _identification = d.pop("identification", UNSET)
        identification: IdentificationInput | Unset
        if isinstance(_identification, Unset):
            identification = UNSET
        else:
            identification = IdentificationInput.from_dict(_identification)

        _pricing = d.pop("pricing", UNSET)
        pricing: PricingInput | Unset
        if isinstance(_pricing, Unset):
            pricing = UNSET
        else:
            pricing = PricingInput.from_dict(_pricing)

        location = d.pop("location", UNSET)

        sku = d.pop("sku", UNSET)

        notes = d.pop("notes", UNSET)

        external_id = d.pop("external_id", UNSET)

        _metadata = d.pop("metadata", UNSET)
        metadata: Metadata | Unset
        if isinstance(_metadata, Unset):
            metadata = UNSET
        else:
            metadata = Metadata.from_dict(_metadata)

        copies = d.pop("copies", UNSET)

        batch_id = d.pop("batch_id", UNSET)

        _photos = d.pop("photos", UNSET)
        photos: list[PhotoInput] | Unset = UNSET
        if _photos is not UNSET:
            photos = []
            for photos_item_data in _photos:
                photos_item = PhotoInput.from_dict(photos_item_data)

                photos.append(photos_item)

        identify = d.pop("identify", UNSET)

        _hints = d.pop("hints", UNSET)
        hints: Hints | Unset
        if isinstance(_hints, Unset):
            hints = UNSET
        else:
            hints = Hints.from_dict(_hints)

        card_input = cls(
            identification=identification,
            pricing=pricing,
            location=location,
            sku=sku,
            notes=notes,
            external_id=external_id,
            metadata=metadata,
            copies=copies,
            batch_id=batch_id,
            photos=photos,
            identify=identify,
            hints=hints,
        )

        return card_input
