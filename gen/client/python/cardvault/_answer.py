"""Conversion of HTTP responses to values and errors. Nothing in this module sends, waits or raises."""

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
"""The exceptions that generated models raise if a document does not have the expected form."""


@dataclass(frozen=True)
class Answer:
    """A complete response. The names of headers are case-insensitive."""

    status: int
    headers: Mapping[str, str]
    body: bytes


Outcome = Answer | CardVaultConnectionError
"""The result of one attempt."""


def error_of(answer: Answer) -> CardVaultError:
    """Convert a response other than success to an error. The response is from the service or from a proxy."""
    if answer.status == HTTPStatus.NOT_MODIFIED:
        return _error(NotModified("The resource has not changed"), answer)
    try:
        told = ErrorEnvelope.from_dict(json.loads(answer.body)).error
    except MALFORMED:
        return _error(CardVaultError(f"Unexpected response {_words(answer.status)}: {_advice(answer.status)}"), answer)
    return _error(CardVaultError(told.message, code=told.code, details=told.details or ()), answer)


def unreadable(answer: Answer, cause: Exception) -> CardVaultError:
    """Return the error for a successful response whose body does not conform to the contract."""
    error = _error(CardVaultError(f"The response does not conform to the contract: {_advice(answer.status)}"), answer)
    error.__cause__ = cause
    return error


def _error(error: CardVaultError, answer: Answer) -> CardVaultError:
    error.status = answer.status
    error.request_id = answer.headers.get("X-Request-Id")
    error.retry_after = retry_after(answer.headers, datetime.now(timezone.utc))
    error.rate_limit = RateLimit.of(answer.headers)
    return error


def retry_after(headers: Mapping[str, str], now: datetime) -> float | None:
    """Parse Retry-After. Return the seconds to wait, or None if the header is missing or invalid."""
    value = headers.get("Retry-After", "").strip()
    if value.isascii() and value.isdigit():
        return float(value)
    try:
        at = parsedate_to_datetime(value)
        return max(0.0, (at - now).total_seconds())
    except (TypeError, ValueError, OverflowError):
        return None


def _advice(status: int) -> str:
    """Return what to do about a response that is not from CardVault."""
    if status < HTTPStatus.BAD_REQUEST or status in (HTTPStatus.NOT_FOUND, HTTPStatus.METHOD_NOT_ALLOWED):
        return "it is not from CardVault; check base_url"
    advice = "it is not from CardVault, but from a proxy or the like in between"
    if status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
        advice += "; allow larger bodies there"
    return advice


def _words(status: int) -> str:
    try:
        return f"{status} {HTTPStatus(status).phrase}"
    except ValueError:
        return str(status)
