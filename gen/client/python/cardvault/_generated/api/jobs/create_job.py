from __future__ import annotations

from typing import Any, TypeAlias

from ...models.card_patch import CardPatch
from ...models.job import Job
from ...models.job_filter import JobFilter
from ...models.job_input import JobInput
from ...models.job_kind import JobKind
from ...types import UNSET, Request, Unset, header_values

Result: TypeAlias = Job


def request(
    *,
    kind: JobKind,
    card_ids: list[str] | Unset = UNSET,
    filter_: JobFilter | Unset = UNSET,
    patch: CardPatch | Unset = UNSET,
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
        json=JobInput(
            kind=kind,
            card_ids=card_ids,
            filter_=filter_,
            patch=patch,
        ).to_dict(),
    )


def parse(data: Any) -> Result:
    """Convert the JSON of a response. Raise KeyError, TypeError, ValueError or AttributeError if it is invalid."""
    response_202 = Job.from_dict(data)

    return response_202
