from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from ...models.card_patch import CardPatch
from ...models.hints import Hints
from ...models.job import Job
from ...models.job_filter import JobFilter
from ...models.job_kind import JobKind
from ...models.price_change import PriceChange
from ...types import UNSET, Request, Unset, header_values, json_object

Result: TypeAlias = Job


def request(
    *,
    kind: JobKind,
    card_ids: Sequence[str] | Unset = UNSET,
    filter_: JobFilter | Mapping[str, Any] | Unset = UNSET,
    patch: CardPatch | Mapping[str, Any] | Unset = UNSET,
    price_change: PriceChange | Mapping[str, Any] | Unset = UNSET,
    hints: Hints | Mapping[str, Any] | Unset = UNSET,
    expected_count: int | Unset = UNSET,
    idempotency_key: str | None = None,
) -> Request[Result]:
    return Request(
        "POST",
        f"/jobs",
        parse,
        headers=header_values(
            {
                "Idempotency-Key": idempotency_key,
            }
        ),
        json=json_object(
            {
                "kind": kind,
                "card_ids": card_ids,
                "filter": filter_,
                "patch": patch,
                "price_change": price_change,
                "hints": hints,
                "expected_count": expected_count,
            }
        ),
    )


def parse(data: Any) -> Result:
    """Convert the JSON of a response. Raise KeyError, TypeError, ValueError or AttributeError if it is invalid."""
    response_202 = Job.from_dict(data)

    return response_202
