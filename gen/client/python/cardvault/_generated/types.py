"""The base types and functions of generated models and requests."""

from __future__ import annotations

import datetime
import os
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import IO, Any, Generic, Literal, TypeAlias, TypeVar
from urllib.parse import quote

T = TypeVar("T")

ScanPhoto: TypeAlias = str | os.PathLike[str] | IO[bytes] | tuple[str, bytes | IO[bytes]]
"""A photo for `scan_cards`: the path of a file, an open file, or the name of a file and its content."""


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
class Form:
    """A form as it is sent."""

    content_type: str
    content: bytes


@dataclass(frozen=True)
class Request(Generic[T]):
    """A request to send, and the function that parses its response."""

    method: str
    path: str
    parse: Callable[[Any], T]
    query: Mapping[str, str | list[str]] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    json: Any = UNSET
    form: Form | None = None
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


def json_object(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Encode the fields that are not UNSET. A dictionary can stand for a model, with the names of the contract."""
    return {name: _json_value(name, value) for name, value in fields.items() if not isinstance(value, Unset)}


def _json_value(name: str, value: Any) -> Any:
    if hasattr(value, "to_dict"):
        return value.to_dict()
    if isinstance(value, Mapping):
        return json_object(value)
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_json_value(name, item) for item in value]
    if isinstance(value, datetime.datetime):
        return value.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    return value


# The brands of image files of the ISO base media format, the specific ones first.
_BRANDS = {
    "image/avif": {b"avif", b"avis"},
    "image/heic": {b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx"},
    "image/heif": {b"mif1", b"msf1"},
}


def form(fields: Mapping[str, Any]) -> Form:
    """Encode the fields that are not UNSET. The values of a list are photos, which are read here."""
    boundary = uuid.uuid4().hex
    parts: list[bytes] = []

    def add(disposition: str, content: bytes) -> None:
        head = f"--{boundary}\r\nContent-Disposition: form-data; {disposition}\r\n\r\n"
        parts.extend((head.encode(), content, b"\r\n"))

    for name, value in fields.items():
        if isinstance(value, Sequence) and not isinstance(value, str):
            for file, content in map(_named_photo, value):
                add(f'name="{name}"; filename="{_quotable(file)}"', content)
        elif not isinstance(value, Unset):
            add(f'name="{name}"', str(value).encode())
    parts.append(f"--{boundary}--\r\n".encode())
    return Form(f"multipart/form-data; boundary={boundary}", b"".join(parts))


def _named_photo(photo: ScanPhoto) -> tuple[str, bytes]:
    if isinstance(photo, tuple):
        name, content = photo
        return name, content if isinstance(content, bytes) else content.read()
    if isinstance(photo, (str, os.PathLike)):
        path = Path(photo)
        return path.name, path.read_bytes()
    opened = getattr(photo, "name", None)
    if not isinstance(opened, str):
        raise ValueError("the photo has no file name: pass it as ('front.jpg', photo)")
    return Path(opened).name, photo.read()


def _quotable(name: str) -> str:
    """Escape what a quoted file name cannot contain, as browsers do."""
    return name.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")


def image_type(content: bytes) -> str:
    """Return the media type of a photo from its first bytes. Raise ValueError if the service does not accept it."""
    if content.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if content.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if content.startswith(b"RIFF") and content[8:12] == b"WEBP":
        return "image/webp"
    if content[4:8] == b"ftyp":
        size = int.from_bytes(content[:4], "big")
        brands = [content[8:12], *(content[at : at + 4] for at in range(16, min(size, 256), 4))]
        for media_type, known in _BRANDS.items():
            if any(brand in known for brand in brands):
                return media_type
    raise ValueError("the photo is not a JPEG, PNG, WebP, HEIC or AVIF image: convert it")


def _query_value(name: str, value: Any) -> str | list[str]:
    if isinstance(value, datetime.datetime):
        if value.utcoffset() is None:
            raise ValueError(f"{name} has no time zone: use datetime.now(timezone.utc) or the like")
        return value.isoformat()
    if isinstance(value, (list, tuple)):
        return [str(item) for item in value] or ""  # which the service refuses: it must not select everything
    return str(value)
