from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define

from ..models.job_kind import JobKind
from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.card_patch import CardPatch
    from ..models.hints import Hints
    from ..models.job_filter import JobFilter
    from ..models.price_change import PriceChange


T = TypeVar("T", bound="JobInput")


@_attrs_define
class JobInput:
    """Exactly one of `card_ids` and `filter`. Exactly one of `patch` and `price_change` is required for the kind `update`,
    and neither is allowed for the others. `hints` are allowed for the kind `identify` only, and replace those that are
    kept with the cards.

    """

    kind: JobKind
    """ What the job does with each card: `update` applies `patch` or `price_change`, as `PATCH /cards/{id}`;
    `identify` queues the card for
    automatic identification; `publish` publishes it at its asking price on the default marketplace; `end` ends its
    live
    listing; `archive` archives it, and first ends its live listing: the card stays `listed` until it has ended;
    `delete`
    deletes it; `restore` brings a deleted card back. Only the undo of a job has the kind `restore`: a request
    cannot
    name it.
     """
    card_ids: list[str] | Unset = UNSET
    """ The cards. They must differ. """
    filter_: JobFilter | Unset = UNSET
    """ Selects the cards that `GET /cards` returns for query parameters with these names and values. """
    patch: CardPatch | Unset = UNSET
    """ A JSON merge patch (RFC 7396): absent fields stay unchanged, and null clears a field. """
    price_change: PriceChange | Unset = UNSET
    """ A new asking price: the present one, or an estimate, changed by percent and rounded half up to the minor
    unit. A card whose price would be less than one minor unit is refused with `invalid_request`. A card without the
    price that is changed is refused: with `card_not_priced` if it has no asking price, with `card_not_identified`
    or `no_price_found` if it has no estimate. """
    hints: Hints | Unset = UNSET
    """ What you know about the cards on photos. With `game`, only cards of this game are considered. Cards of the
    `set` and
    in the `language` come before others that match a photo equally well; if no card of the catalogue has them,
    these
    two have no effect.
     """
    expected_count: int | Unset = UNSET
    """ The number of cards that you expect the request to select. If the real number differs by more than 1 %,
    rounded down, nothing is changed and the response is `409 unexpected_count`: below 100 cards, the numbers must
    be equal. """

    def to_dict(self) -> dict[str, Any]:
        kind = str(self.kind)

        card_ids: list[str] | Unset = UNSET
        if not isinstance(self.card_ids, Unset):
            card_ids = self.card_ids

        filter_: dict[str, Any] | Unset = UNSET
        if not isinstance(self.filter_, Unset):
            filter_ = self.filter_.to_dict()

        patch: dict[str, Any] | Unset = UNSET
        if not isinstance(self.patch, Unset):
            patch = self.patch.to_dict()

        price_change: dict[str, Any] | Unset = UNSET
        if not isinstance(self.price_change, Unset):
            price_change = self.price_change.to_dict()

        hints: dict[str, Any] | Unset = UNSET
        if not isinstance(self.hints, Unset):
            hints = self.hints.to_dict()

        expected_count = self.expected_count

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "kind": kind,
            }
        )
        if card_ids is not UNSET:
            field_dict["card_ids"] = card_ids
        if filter_ is not UNSET:
            field_dict["filter"] = filter_
        if patch is not UNSET:
            field_dict["patch"] = patch
        if price_change is not UNSET:
            field_dict["price_change"] = price_change
        if hints is not UNSET:
            field_dict["hints"] = hints
        if expected_count is not UNSET:
            field_dict["expected_count"] = expected_count

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.card_patch import CardPatch  # noqa: PLC0415
        from ..models.hints import Hints  # noqa: PLC0415
        from ..models.job_filter import JobFilter  # noqa: PLC0415
        from ..models.price_change import PriceChange  # noqa: PLC0415

        d = dict(src_dict)
        kind = JobKind(d.pop("kind"))

        card_ids = cast(list[str], d.pop("card_ids", UNSET))

        _filter_ = d.pop("filter", UNSET)
        filter_: JobFilter | Unset
        if isinstance(_filter_, Unset):
            filter_ = UNSET
        else:
            filter_ = JobFilter.from_dict(_filter_)

        _patch = d.pop("patch", UNSET)
        patch: CardPatch | Unset
        if isinstance(_patch, Unset):
            patch = UNSET
        else:
            patch = CardPatch.from_dict(_patch)

        _price_change = d.pop("price_change", UNSET)
        price_change: PriceChange | Unset
        if isinstance(_price_change, Unset):
            price_change = UNSET
        else:
            price_change = PriceChange.from_dict(_price_change)

        _hints = d.pop("hints", UNSET)
        hints: Hints | Unset
        if isinstance(_hints, Unset):
            hints = UNSET
        else:
            hints = Hints.from_dict(_hints)

        expected_count = d.pop("expected_count", UNSET)

        job_input = cls(
            kind=kind,
            card_ids=card_ids,
            filter_=filter_,
            patch=patch,
            price_change=price_change,
            hints=hints,
            expected_count=expected_count,
        )

        return job_input
