from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.job_kind import JobKind
from ..models.job_status import JobStatus

T = TypeVar("T", bound="Job")


@_attrs_define
class Job:
    id: str
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
    status: JobStatus
    """ `queued` until the job starts. `done` when each card was changed, needed no change, or was refused. """
    total: int
    """ The number of cards. With a `filter`, it rises while the service reads the cards that match. """
    done: int
    """ The number of cards that were changed, deleted or brought back. """
    unchanged: int
    """ The number of cards that already were as the job would have made them. """
    refused: int
    """ The number of cards that could not be changed. `GET /jobs/{id}/refusals` returns them. """
    created_at: datetime.datetime
    """ An RFC 3339 time in UTC with six decimals. """
    updated_at: datetime.datetime
    """ An RFC 3339 time in UTC with six decimals. """
    finished_at: datetime.datetime | None
    """ An RFC 3339 time in UTC with six decimals, or null if it does not apply yet. """
    undoable_until: datetime.datetime | None
    """ An RFC 3339 time in UTC with six decimals, or null if it does not apply yet. """
    undoes: None | str
    """ The job whose changes this one takes back. """
    undone_by: None | str
    """ The job that takes the changes of this one back. Null again after it was cancelled, or has brought some of
    the deleted cards back only. """
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        kind = str(self.kind)

        status = str(self.status)

        total = self.total

        done = self.done

        unchanged = self.unchanged

        refused = self.refused

        created_at = self.created_at.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")

        updated_at = self.updated_at.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")

        finished_at: None | str
        if isinstance(self.finished_at, datetime.datetime):
            finished_at = self.finished_at.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        else:
            finished_at = self.finished_at

        undoable_until: None | str
        if isinstance(self.undoable_until, datetime.datetime):
            undoable_until = self.undoable_until.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        else:
            undoable_until = self.undoable_until

        undoes: None | str
        undoes = self.undoes

        undone_by: None | str
        undone_by = self.undone_by

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "kind": kind,
                "status": status,
                "total": total,
                "done": done,
                "unchanged": unchanged,
                "refused": refused,
                "created_at": created_at,
                "updated_at": updated_at,
                "finished_at": finished_at,
                "undoable_until": undoable_until,
                "undoes": undoes,
                "undone_by": undone_by,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        id = d.pop("id")

        kind = JobKind(d.pop("kind"))

        status = JobStatus(d.pop("status"))

        total = d.pop("total")

        done = d.pop("done")

        unchanged = d.pop("unchanged")

        refused = d.pop("refused")

        created_at = datetime.datetime.fromisoformat(d.pop("created_at").replace("Z", "+00:00"))

        updated_at = datetime.datetime.fromisoformat(d.pop("updated_at").replace("Z", "+00:00"))

        def _parse_finished_at(data: object) -> datetime.datetime | None:
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

        finished_at = _parse_finished_at(d.pop("finished_at"))

        def _parse_undoable_until(data: object) -> datetime.datetime | None:
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

        undoable_until = _parse_undoable_until(d.pop("undoable_until"))

        def _parse_undoes(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        undoes = _parse_undoes(d.pop("undoes"))

        def _parse_undone_by(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        undone_by = _parse_undone_by(d.pop("undone_by"))

        job = cls(
            id=id,
            kind=kind,
            status=status,
            total=total,
            done=done,
            unchanged=unchanged,
            refused=refused,
            created_at=created_at,
            updated_at=updated_at,
            finished_at=finished_at,
            undoable_until=undoable_until,
            undoes=undoes,
            undone_by=undone_by,
        )

        job.additional_properties = d
        return job

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
