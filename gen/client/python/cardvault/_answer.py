"""What came back, as values: nothing here sends, waits or raises."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from http import HTTPStatus

from ._generated.models import ErrorEnvelope
from .errors import CardVaultConnectionError, CardVaultError, NotModified
from .responses import RateLimit

MALFORMED = (KeyError, TypeError, ValueError, AttributeError)
"""What generated models raise where a document is not of their form."""


@dataclass(frozen=True)
class Answer:
    """One whole answer. The names of headers are found in any case."""

    status: int
    headers: Mapping[str, str]
    body: bytes


Outcome = Answer | CardVaultConnectionError
"""What came of one attempt."""


def error_of(answer: Answer) -> CardVaultError:
    """The error that an answer tells of, in the contract's shape or a proxy's."""
    if answer.status == HTTPStatus.NOT_MODIFIED:
        return _error(NotModified("What you have is current"), answer)
    try:
        told = ErrorEnvelope.from_dict(json.loads(answer.body)).error
    except MALFORMED:
        return _error(CardVaultError(f"The service answered {_words(answer.status)}; is base_url right?"), answer)
    return _error(CardVaultError(told.message, code=told.code, details=told.details or ()), answer)


def unreadable(answer: Answer, cause: Exception) -> CardVaultError:
    """The error for a success whose body is not what the contract says."""
    error = _error(CardVaultError("The service's answer is not what the contract says; is base_url right?"), answer)
    error.__cause__ = cause
    return error


def _error(error: CardVaultError, answer: Answer) -> CardVaultError:
    error.status = answer.status
    error.request_id = answer.headers.get("X-Request-Id")
    error.retry_after = retry_after(answer.headers, datetime.now(timezone.utc))
    error.rate_limit = RateLimit.of(answer.headers)
    return error


def retry_after(headers: Mapping[str, str], now: datetime) -> float | None:
    """The seconds to wait; None where the header is missing or says nothing that is understood."""
    value = headers.get("Retry-After", "").strip()
    if value.isascii() and value.isdigit():
        return float(value)
    try:
        at = parsedate_to_datetime(value)
        return max(0.0, (at - now).total_seconds())
    except (TypeError, ValueError, OverflowError):
        return None


def _words(status: int) -> str:
    try:
        return f"{status} {HTTPStatus(status).phrase}"
    except ValueError:
        return str(status)
