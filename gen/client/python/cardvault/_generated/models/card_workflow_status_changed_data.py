from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.workflow_status import WorkflowStatus

T = TypeVar("T", bound="CardWorkflowStatusChangedData")


@_attrs_define
class CardWorkflowStatusChangedData:
    """The workflow status of a card changed by one transition."""

    card_id: str
    title: str
    """ The name of the card; "" if unknown. """
    set_: str
    """ The name of the set; "" if unknown. """
    number: str
    """ The collector number; "" if unknown. """
    previous_status: WorkflowStatus
    """ The service derives the status from the card's data. It changes by one transition at a time: `imported` →
    `identified` → `priced` → `photographed` → `listed` → `sold`. `photographed` means that the card has a photo
    with
    the role `listing`. Publishing accepts a photo of any role, so `priced` → `listed` is possible too.
    `needs_review`
    means that automatic identification failed, `archived` that the card was archived. A card goes back from
    `identified` to `needs_review` if a review of it in the dashboard is undone.
     """
    status: WorkflowStatus
    """ The service derives the status from the card's data. It changes by one transition at a time: `imported` →
    `identified` → `priced` → `photographed` → `listed` → `sold`. `photographed` means that the card has a photo
    with
    the role `listing`. Publishing accepts a photo of any role, so `priced` → `listed` is possible too.
    `needs_review`
    means that automatic identification failed, `archived` that the card was archived. A card goes back from
    `identified` to `needs_review` if a review of it in the dashboard is undone.
     """
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        card_id = self.card_id

        title = self.title

        set_ = self.set_

        number = self.number

        previous_status = str(self.previous_status)

        status = str(self.status)

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "card_id": card_id,
                "title": title,
                "set": set_,
                "number": number,
                "previous_status": previous_status,
                "status": status,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        card_id = d.pop("card_id")

        title = d.pop("title")

        set_ = d.pop("set")

        number = d.pop("number")

        previous_status = WorkflowStatus(d.pop("previous_status"))

        status = WorkflowStatus(d.pop("status"))

        card_workflow_status_changed_data = cls(
            card_id=card_id,
            title=title,
            set_=set_,
            number=number,
            previous_status=previous_status,
            status=status,
        )

        card_workflow_status_changed_data.additional_properties = d
        return card_workflow_status_changed_data

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
