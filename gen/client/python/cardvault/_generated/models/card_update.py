from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.identification_patch import IdentificationPatch
    from ..models.metadata_patch import MetadataPatch
    from ..models.pricing_patch import PricingPatch


T = TypeVar("T", bound="CardUpdate")


@_attrs_define
class CardUpdate:
    """The changes of one card, with the fields of a patch: absent fields stay unchanged, and null clears a field."""

    id: str
    version: int | Unset = UNSET
    """ The version that the card must have, as `If-Match` does; otherwise the update fails with `version_mismatch`.
    Absent allows any version. """
    identification: IdentificationPatch | Unset = UNSET
    """ Absent fields stay unchanged, and null clears a field. Setting a title identifies the card manually. The
    title of
    an identified card cannot be cleared. A `catalog_id` without `title`, `set`, `number`, `game`, `year`,
    `language`
    and `variant` identifies the card manually too: these fields get the values of the catalogue.
     """
    pricing: PricingPatch | Unset = UNSET
    """ Absent fields stay unchanged, and null clears a field. """
    location: None | str | Unset = UNSET
    """ The place where the card is stored, 1 to 5 segments separated by `/`, outermost first. """
    sku: None | str | Unset = UNSET
    """ The owner's article number. """
    notes: None | str | Unset = UNSET
    """ The owner's notes. """
    batch_id: None | str | Unset = UNSET
    """ The batch to move the card into, or null to remove it from its batch. """
    external_id: None | str | Unset = UNSET
    """ The identifier of the card in a system of yours. No two cards of an account can have the same one. """
    metadata: MetadataPatch | None | Unset = UNSET
    """ Keys that are absent stay unchanged, and null removes a key; null instead of the object removes all. A card
    has at most 50 keys of 1 to 40 characters without control characters. """
    archived: bool | Unset = UNSET
    """ True archives the card. False restores the status that follows from its data. """

    def to_dict(self) -> dict[str, Any]:
        from ..models.metadata_patch import MetadataPatch  # noqa: PLC0415

        id = self.id

        version = self.version

        identification: dict[str, Any] | Unset = UNSET
        if not isinstance(self.identification, Unset):
            identification = self.identification.to_dict()

        pricing: dict[str, Any] | Unset = UNSET
        if not isinstance(self.pricing, Unset):
            pricing = self.pricing.to_dict()

        location: None | str | Unset
        if isinstance(self.location, Unset):
            location = UNSET
        else:
            location = self.location

        sku: None | str | Unset
        if isinstance(self.sku, Unset):
            sku = UNSET
        else:
            sku = self.sku

        notes: None | str | Unset
        if isinstance(self.notes, Unset):
            notes = UNSET
        else:
            notes = self.notes

        batch_id: None | str | Unset
        if isinstance(self.batch_id, Unset):
            batch_id = UNSET
        else:
            batch_id = self.batch_id

        external_id: None | str | Unset
        if isinstance(self.external_id, Unset):
            external_id = UNSET
        else:
            external_id = self.external_id

        metadata: dict[str, Any] | None | Unset
        if isinstance(self.metadata, Unset):
            metadata = UNSET
        elif isinstance(self.metadata, MetadataPatch):
            metadata = self.metadata.to_dict()
        else:
            metadata = self.metadata

        archived = self.archived

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
            }
        )
        if version is not UNSET:
            field_dict["version"] = version
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
        if batch_id is not UNSET:
            field_dict["batch_id"] = batch_id
        if external_id is not UNSET:
            field_dict["external_id"] = external_id
        if metadata is not UNSET:
            field_dict["metadata"] = metadata
        if archived is not UNSET:
            field_dict["archived"] = archived

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.identification_patch import IdentificationPatch  # noqa: PLC0415
        from ..models.metadata_patch import MetadataPatch  # noqa: PLC0415
        from ..models.pricing_patch import PricingPatch  # noqa: PLC0415

        d = dict(src_dict)
        id = d.pop("id")

        version = d.pop("version", UNSET)

        _identification = d.pop("identification", UNSET)
        identification: IdentificationPatch | Unset
        if isinstance(_identification, Unset):
            identification = UNSET
        else:
            identification = IdentificationPatch.from_dict(_identification)

        _pricing = d.pop("pricing", UNSET)
        pricing: PricingPatch | Unset
        if isinstance(_pricing, Unset):
            pricing = UNSET
        else:
            pricing = PricingPatch.from_dict(_pricing)

        def _parse_location(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        location = _parse_location(d.pop("location", UNSET))

        def _parse_sku(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        sku = _parse_sku(d.pop("sku", UNSET))

        def _parse_notes(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        notes = _parse_notes(d.pop("notes", UNSET))

        def _parse_batch_id(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        batch_id = _parse_batch_id(d.pop("batch_id", UNSET))

        def _parse_external_id(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        external_id = _parse_external_id(d.pop("external_id", UNSET))

        def _parse_metadata(data: object) -> MetadataPatch | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                metadata_type_0 = MetadataPatch.from_dict(data)

                return metadata_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(MetadataPatch | None | Unset, data)

        metadata = _parse_metadata(d.pop("metadata", UNSET))

        archived = d.pop("archived", UNSET)

        card_update = cls(
            id=id,
            version=version,
            identification=identification,
            pricing=pricing,
            location=location,
            sku=sku,
            notes=notes,
            batch_id=batch_id,
            external_id=external_id,
            metadata=metadata,
            archived=archived,
        )

        return card_update
