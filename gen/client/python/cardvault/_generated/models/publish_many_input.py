from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define

from ..models.marketplace import Marketplace
from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.job_filter import JobFilter


T = TypeVar("T", bound="PublishManyInput")


@_attrs_define
class PublishManyInput:
    """Exactly one of `card_ids` and `filter`."""

    card_ids: list[str] | Unset = UNSET
    """ The cards. They must differ. """
    filter_: JobFilter | Unset = UNSET
    """ Selects the cards that `GET /cards` returns for query parameters with these names and values. """
    marketplace: Marketplace | Unset = UNSET
    """ `sandbox` is the sandbox marketplace that comes with CardVault. Expect other marketplaces in responses. A
    request can name those that the server knows. """
    atomic: bool | Unset = UNSET
    """ True changes nothing if one of them fails, and returns the first error. False carries out those that can be.
    """
    expected_count: int | Unset = UNSET
    """ The number of cards that you expect the request to select. If the real number differs by more than 1 %,
    rounded down, nothing is changed and the response is `409 unexpected_count`: below 100 cards, the numbers must
    be equal. """

    def to_dict(self) -> dict[str, Any]:
        card_ids: list[str] | Unset = UNSET
        if not isinstance(self.card_ids, Unset):
            card_ids = self.card_ids

        filter_: dict[str, Any] | Unset = UNSET
        if not isinstance(self.filter_, Unset):
            filter_ = self.filter_.to_dict()

        marketplace: str | Unset = UNSET
        if not isinstance(self.marketplace, Unset):
            marketplace = str(self.marketplace)

        atomic = self.atomic

        expected_count = self.expected_count

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if card_ids is not UNSET:
            field_dict["card_ids"] = card_ids
        if filter_ is not UNSET:
            field_dict["filter"] = filter_
        if marketplace is not UNSET:
            field_dict["marketplace"] = marketplace
        if atomic is not UNSET:
            field_dict["atomic"] = atomic
        if expected_count is not UNSET:
            field_dict["expected_count"] = expected_count

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.job_filter import JobFilter  # noqa: PLC0415

        d = dict(src_dict)
        card_ids = cast(list[str], d.pop("card_ids", UNSET))

        _filter_ = d.pop("filter", UNSET)
        filter_: JobFilter | Unset
        if isinstance(_filter_, Unset):
            filter_ = UNSET
        else:
            filter_ = JobFilter.from_dict(_filter_)

        _marketplace = d.pop("marketplace", UNSET)
        marketplace: Marketplace | Unset
        if isinstance(_marketplace, Unset):
            marketplace = UNSET
        else:
            marketplace = Marketplace(_marketplace)

        atomic = d.pop("atomic", UNSET)

        expected_count = d.pop("expected_count", UNSET)

        publish_many_input = cls(
            card_ids=card_ids,
            filter_=filter_,
            marketplace=marketplace,
            atomic=atomic,
            expected_count=expected_count,
        )

        return publish_many_input
