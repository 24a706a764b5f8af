from __future__ import annotations

from typing import Any, Literal, TypeAlias

from ...models.card import Card
from ...models.photo_role import PhotoRole
from ...types import (
    Request,
    header_values,
    image_type,
    path_segment,
)

Result: TypeAlias = Card


def request(
    id: str,
    photo: PhotoRole,
    content: bytes,
    *,
    content_type: Literal["image/jpeg", "image/png", "image/webp", "image/heic", "image/heif", "image/avif"]
    | None = None,
) -> Request[Result]:
    return Request(
        "PUT",
        f"/cards/{path_segment('id', id)}/photos/{path_segment('photo', photo)}",
        parse,
        headers=header_values(
            {
                "Content-Type": content_type or image_type(content),
            }
        ),
        content=content,
    )


def parse(data: Any) -> Result:
    """Convert the JSON of a response. Raise KeyError, TypeError, ValueError or AttributeError if it is invalid."""
    response_200 = Card.from_dict(data)

    return response_200
