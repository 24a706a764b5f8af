"""The base types and functions of generated models and requests."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Generic, Literal, TypeVar
from urllib.parse import quote

T = TypeVar("T")


class Unset:
    """The type of UNSET."""

    def __bool__(self) -> Literal[False]:
        return False

    def __repr__(self) -> str:
        return "UNSET"


UNSET = Unset()
"""The value of a field that a request omits. In contrast, None is sent as null."""


class OpenEnum(str, Enum):
    """An enumeration to which the service may add values. An unknown value becomes a member that is not listed."""

    @classmethod
    def _missing_(cls, value: object) -> OpenEnum | None:
        if not isinstance(value, str):
            return None
        member = str.__new__(cls, value)
        member._name_ = value
        member._value_ = value
        return member

    @property
    def is_known(self) -> bool:
        """Whether this version of the package knows the value."""
        return self._value_ in type(self)._value2member_map_

    def __str__(self) -> str:
        return str(self.value)


@dataclass(frozen=True)
class Request(Generic[T]):
    """A request to send, and the function that parses its response."""

    method: str
    path: str
    parse: Callable[[Any], T]
    query: Mapping[str, str | list[str]] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    json: Any = UNSET
    content: bytes | None = None


def path_segment(name: str, value: object) -> str:
    """Encode the value as a segment of a path. Raise ValueError if it would change the path."""
    segment = quote(str(value), safe="")
    if segment in ("", ".", ".."):
        raise ValueError(f"{name} is {str(value)!r}: give an identifier")
    return segment


def query_values(values: Mapping[str, Any]) -> dict[str, str | list[str]]:
    """Encode the parameters that are not None."""
    return {name: _query_value(name, value) for name, value in values.items() if value is not None}


def header_values(values: Mapping[str, Any]) -> dict[str, str]:
    """Encode the headers that are not None. An integer is a version; its ETag is the number in quotation marks."""
    return {
        name: f'"{value}"' if isinstance(value, int) else str(value)
        for name, value in values.items()
        if value is not None
    }


def _query_value(name: str, value: Any) -> str | list[str]:
    if isinstance(value, datetime.datetime):
        if value.utcoffset() is None:
            raise ValueError(f"{name} has no time zone: use datetime.now(timezone.utc) or the like")
        return value.isoformat()
    if isinstance(value, (list, tuple)):
        return [str(item) for item in value]
    return str(value)
