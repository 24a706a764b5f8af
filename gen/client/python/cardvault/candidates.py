"""Conversion of candidates to patches."""

from __future__ import annotations

from ._generated.models import CatalogCard, IdentificationPatch, IdentificationResult

__all__ = ["patch_from_candidate"]


def patch_from_candidate(candidate: IdentificationResult | CatalogCard) -> IdentificationPatch:
    """Return the change that identifies a card as the candidate, or as the card of the catalogue.

    If the candidate is in the catalogue, the patch has only its `catalog_id`: the service takes the other fields from
    the catalogue. Otherwise the patch sets the fields that the candidate has and clears the others. Condition and grade
    stay unchanged.
    """
    catalog_id = candidate.id if isinstance(candidate, CatalogCard) else candidate.catalog_id
    if catalog_id is not None:
        return IdentificationPatch(catalog_id=catalog_id)
    return IdentificationPatch(
        catalog_id=None,
        title=candidate.title,
        set_=candidate.set_,
        number=candidate.number,
        game=candidate.game,
        year=candidate.year,
        language=candidate.language,
        variant=candidate.variant,
    )
