"""What generated models and requests are built with."""

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
"""A field that is left out of a request, as opposed to None, which is sent as null."""


class OpenEnum(str, Enum):
    """An enumeration that may grow: an unknown value makes a member of its own, which no list of members holds."""

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
        """Whether this package's version knows the value."""
        return self._value_ in type(self)._value2member_map_

    def __str__(self) -> str:
        return str(self.value)


@dataclass(frozen=True)
class Request(Generic[T]):
    """A request that has not been sent, and what its answer means."""

    method: str
    path: str
    parse: Callable[[Any], T]
    query: Mapping[str, str | list[str]] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    json: Any = UNSET
    content: bytes | None = None


def path_segment(name: str, value: object) -> str:
    """The value for an address; ValueError where another address would come of it."""
    segment = quote(str(value), safe="")
    if segment in ("", ".", ".."):
        raise ValueError(f"{name} is {str(value)!r}: give an identifier")
    return segment


def query_values(values: Mapping[str, Any]) -> dict[str, str | list[str]]:
    """Those that are given, as they stand in an address."""
    return {name: _query_value(name, value) for name, value in values.items() if value is not None}


def header_values(values: Mapping[str, Any]) -> dict[str, str]:
    """Those that are given. An integer is a version, whose ETag is the number in quotation marks."""
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
