from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.identify_outcome_outcome import IdentifyOutcomeOutcome

if TYPE_CHECKING:
    from ..models.card import Card
    from ..models.identification_result import IdentificationResult
    from ..models.identify_attempt import IdentifyAttempt


T = TypeVar("T", bound="IdentifyOutcome")


@_attrs_define
class IdentifyOutcome:
    outcome: IdentifyOutcomeOutcome
    """ `identified` if the best candidate of a provider was accepted, otherwise `failed`. """
    card: Card | None
    result: IdentificationResult | None
    candidates: list[IdentificationResult]
    """ The cards that the photo may show, best first. """
    attempts: list[IdentifyAttempt]
    """ The calls of the providers. """
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.card import Card  # noqa: PLC0415
        from ..models.identification_result import IdentificationResult  # noqa: PLC0415

        outcome = str(self.outcome)

        card: dict[str, Any] | None
        if isinstance(self.card, Card):
            card = self.card.to_dict()
        else:
            card = self.card

        result: dict[str, Any] | None
        if isinstance(self.result, IdentificationResult):
            result = self.result.to_dict()
        else:
            result = self.result

        candidates = []
        for candidates_item_data in self.candidates:
            candidates_item = candidates_item_data.to_dict()
            candidates.append(candidates_item)

        attempts = []
        for attempts_item_data in self.attempts:
            attempts_item = attempts_item_data.to_dict()
            attempts.append(attempts_item)

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "outcome": outcome,
                "card": card,
                "result": result,
                "candidates": candidates,
                "attempts": attempts,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.card import Card  # noqa: PLC0415
        from ..models.identification_result import IdentificationResult  # noqa: PLC0415
        from ..models.identify_attempt import IdentifyAttempt  # noqa: PLC0415

        d = dict(src_dict)
        outcome = IdentifyOutcomeOutcome(d.pop("outcome"))

        def _parse_card(data: object) -> Card | None:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                card_type_0 = Card.from_dict(data)

                return card_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(Card | None, data)

        card = _parse_card(d.pop("card"))

        def _parse_result(data: object) -> IdentificationResult | None:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                result_type_0 = IdentificationResult.from_dict(data)

                return result_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(IdentificationResult | None, data)

        result = _parse_result(d.pop("result"))

        candidates = []
        _candidates = d.pop("candidates")
        for candidates_item_data in _candidates:
            candidates_item = IdentificationResult.from_dict(candidates_item_data)

            candidates.append(candidates_item)

        attempts = []
        _attempts = d.pop("attempts")
        for attempts_item_data in _attempts:
            attempts_item = IdentifyAttempt.from_dict(attempts_item_data)

            attempts.append(attempts_item)

        identify_outcome = cls(
            outcome=outcome,
            card=card,
            result=result,
            candidates=candidates,
            attempts=attempts,
        )

        identify_outcome.additional_properties = d
        return identify_outcome

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
