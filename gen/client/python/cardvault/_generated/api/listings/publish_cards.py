from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from ...models.job_filter import JobFilter
from ...models.marketplace import Marketplace
from ...models.publish_results import PublishResults
from ...types import UNSET, Request, Unset, header_values, json_object

Result: TypeAlias = PublishResults


def request(
    *,
    card_ids: Sequence[str] | Unset = UNSET,
    filter_: JobFilter | Mapping[str, Any] | Unset = UNSET,
    marketplace: Marketplace | Unset = UNSET,
    atomic: bool | Unset = UNSET,
    expected_count: int | Unset = UNSET,
    idempotency_key: str | None = None,
) -> Request[Result]:
    return Request(
        "POST",
        f"/listings/publish",
        parse,
        headers=header_values(
            {
                "Idempotency-Key": idempotency_key,
            }
        ),
        json=json_object(
            {
                "card_ids": card_ids,
                "filter": filter_,
                "marketplace": marketplace,
                "atomic": atomic,
                "expected_count": expected_count,
            }
        ),
    )


def parse(data: Any) -> Result:
    """Convert the JSON of a response. Raise KeyError, TypeError, ValueError or AttributeError if it is invalid."""
    response_200 = PublishResults.from_dict(data)

    return response_200
