from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define

from ..models.condition import Condition
from ..models.currency import Currency
from ..models.game import Game
from ..models.identification_status import IdentificationStatus
from ..models.workflow_status import WorkflowStatus
from ..types import UNSET, Unset

T = TypeVar("T", bound="JobFilter")


@_attrs_define
class JobFilter:
    """Selects the cards that `GET /cards` returns for query parameters with these names and values."""

    status: list[WorkflowStatus] | Unset = UNSET
    """ Cards with one of these workflow statuses. """
    batch: str | Unset = UNSET
    location: str | Unset = UNSET
    """ The place where the card is stored. A path of 1 to 5 segments separated by `/`, outermost first. """
    set_: str | Unset = UNSET
    """ Cards of the set with exactly this name. """
    game: Game | Unset = UNSET
    """ The game or kind of card. """
    number: str | Unset = UNSET
    """ Cards with exactly this collector number. """
    condition: Condition | Unset = UNSET
    """ Near mint, lightly played, moderately played, heavily played, damaged. """
    identification: IdentificationStatus | Unset = UNSET
    """ `pending` while the card is queued for automatic identification, or waits for a photo that the service
    fetches.
    `identified` and `failed` are the results. `none` means that the card is not identified and nothing is under
    way:
    it has no photo of the front, or automatic identification was not requested.
     """
    min_price: int | Unset = UNSET
    """ Cards with an asking price of at least this amount, in minor units of `currency` or, without it, of the
    account's currency. """
    max_price: int | Unset = UNSET
    """ Cards with an asking price of at most this amount, in minor units of `currency` or, without it, of the
    account's currency. """
    currency: Currency | Unset = UNSET
    """ An ISO 4217 currency code. """
    sku: str | Unset = UNSET
    """ Cards with exactly this SKU. """
    external_id: str | Unset = UNSET
    """ The card with exactly this `external_id`. """
    ids: list[str] | Unset = UNSET
    """ These cards. Identifiers that do not exist are ignored. """
    catalog_id: str | Unset = UNSET
    """ Cards with exactly this identifier in the catalogue. """
    language: str | Unset = UNSET
    """ Cards with exactly this language. """
    grade: str | Unset = UNSET
    """ Cards with this grade: a grading company (`PSA`), a company and a value (`PSA 9.5`), or `none` for cards
    that are not graded. """
    has_photo: bool | Unset = UNSET
    """ Cards with a photo whose status is `ready` or, if false, cards without one. """
    q: str | Unset = UNSET
    """ Cards whose title, number, set, SKU and external id together contain all of these words or parts of words.
    Case, accents and width are ignored, hiragana and katakana are the same, and so are `’` and the plain
    apostrophe, `ß` and `ss`, `æ` and `ae`. """

    def to_dict(self) -> dict[str, Any]:
        status: list[str] | Unset = UNSET
        if not isinstance(self.status, Unset):
            status = []
            for status_item_data in self.status:
                status_item = str(status_item_data)
                status.append(status_item)

        batch = self.batch

        location = self.location

        set_ = self.set_

        game: str | Unset = UNSET
        if not isinstance(self.game, Unset):
            game = str(self.game)

        number = self.number

        condition: str | Unset = UNSET
        if not isinstance(self.condition, Unset):
            condition = str(self.condition)

        identification: str | Unset = UNSET
        if not isinstance(self.identification, Unset):
            identification = str(self.identification)

        min_price = self.min_price

        max_price = self.max_price

        currency: str | Unset = UNSET
        if not isinstance(self.currency, Unset):
            currency = str(self.currency)

        sku = self.sku

        external_id = self.external_id

        ids: list[str] | Unset = UNSET
        if not isinstance(self.ids, Unset):
            ids = self.ids

        catalog_id = self.catalog_id

        language = self.language

        grade = self.grade

        has_photo = self.has_photo

        q = self.q

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if status is not UNSET:
            field_dict["status"] = status
        if batch is not UNSET:
            field_dict["batch"] = batch
        if location is not UNSET:
            field_dict["location"] = location
        if set_ is not UNSET:
            field_dict["set"] = set_
        if game is not UNSET:
            field_dict["game"] = game
        if number is not UNSET:
            field_dict["number"] = number
        if condition is not UNSET:
            field_dict["condition"] = condition
        if identification is not UNSET:
            field_dict["identification"] = identification
        if min_price is not UNSET:
            field_dict["min_price"] = min_price
        if max_price is not UNSET:
            field_dict["max_price"] = max_price
        if currency is not UNSET:
            field_dict["currency"] = currency
        if sku is not UNSET:
            field_dict["sku"] = sku
        if external_id is not UNSET:
            field_dict["external_id"] = external_id
        if ids is not UNSET:
            field_dict["ids"] = ids
        if catalog_id is not UNSET:
            field_dict["catalog_id"] = catalog_id
        if language is not UNSET:
            field_dict["language"] = language
        if grade is not UNSET:
            field_dict["grade"] = grade
        if has_photo is not UNSET:
            field_dict["has_photo"] = has_photo
        if q is not UNSET:
            field_dict["q"] = q

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        _status = d.pop("status", UNSET)
        status: list[WorkflowStatus] | Unset = UNSET
        if _status is not UNSET:
            status = []
            for status_item_data in _status:
                status_item = WorkflowStatus(status_item_data)

                status.append(status_item)

        batch = d.pop("batch", UNSET)

        location = d.pop("location", UNSET)

        set_ = d.pop("set", UNSET)

        _game = d.pop("game", UNSET)
        game: Game | Unset
        if isinstance(_game, Unset):
            game = UNSET
        else:
            game = Game(_game)

        number = d.pop("number", UNSET)

        _condition = d.pop("condition", UNSET)
        condition: Condition | Unset
        if isinstance(_condition, Unset):
            condition = UNSET
        else:
            condition = Condition(_condition)

        _identification = d.pop("identification", UNSET)
        identification: IdentificationStatus | Unset
        if isinstance(_identification, Unset):
            identification = UNSET
        else:
            identification = IdentificationStatus(_identification)

        min_price = d.pop("min_price", UNSET)

        max_price = d.pop("max_price", UNSET)

        _currency = d.pop("currency", UNSET)
        currency: Currency | Unset
        if isinstance(_currency, Unset):
            currency = UNSET
        else:
            currency = Currency(_currency)

        sku = d.pop("sku", UNSET)

        external_id = d.pop("external_id", UNSET)

        ids = cast(list[str], d.pop("ids", UNSET))

        catalog_id = d.pop("catalog_id", UNSET)

        language = d.pop("language", UNSET)

        grade = d.pop("grade", UNSET)

        has_photo = d.pop("has_photo", UNSET)

        q = d.pop("q", UNSET)

        job_filter = cls(
            status=status,
            batch=batch,
            location=location,
            set_=set_,
            game=game,
            number=number,
            condition=condition,
            identification=identification,
            min_price=min_price,
            max_price=max_price,
            currency=currency,
            sku=sku,
            external_id=external_id,
            ids=ids,
            catalog_id=catalog_id,
            language=language,
            grade=grade,
            has_photo=has_photo,
            q=q,
        )

        return job_filter
