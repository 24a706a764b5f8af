from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.import_waiting import ImportWaiting
    from ..models.waiting import Waiting


T = TypeVar("T", bound="AccountWaiting")


@_attrs_define
class AccountWaiting:
    imports: list[ImportWaiting]
    """ The imports of files that have not ended, the first one first. """
    export: None | Waiting
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.waiting import Waiting  # noqa: PLC0415

        imports = []
        for imports_item_data in self.imports:
            imports_item = imports_item_data.to_dict()
            imports.append(imports_item)

        export: dict[str, Any] | None
        if isinstance(self.export, Waiting):
            export = self.export.to_dict()
        else:
            export = self.export

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "imports": imports,
                "export": export,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.import_waiting import ImportWaiting  # noqa: PLC0415
        from ..models.waiting import Waiting  # noqa: PLC0415

        d = dict(src_dict)
        imports = []
        _imports = d.pop("imports")
        for imports_item_data in _imports:
            imports_item = ImportWaiting.from_dict(imports_item_data)

            imports.append(imports_item)

        def _parse_export(data: object) -> None | Waiting:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                export_type_0 = Waiting.from_dict(data)

                return export_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | Waiting, data)

        export = _parse_export(d.pop("export"))

        account_waiting = cls(
            imports=imports,
            export=export,
        )

        account_waiting.additional_properties = d
        return account_waiting

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
