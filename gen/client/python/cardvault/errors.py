"""What goes wrong between here and the service: a `CardVaultError`.

An argument that cannot be sent is a ValueError or a TypeError, at once.
"""

from __future__ import annotations

from collections.abc import Sequence

from ._generated.models import ErrorCode, ErrorDetail
from .responses import RateLimit

__all__ = [
    "CardVaultConnectionError",
    "CardVaultError",
    "CardVaultTimeoutError",
    "ErrorCode",
    "ErrorDetail",
    "NotModified",
]


class CardVaultError(Exception):
    """An error, by `code` where the service gave one: `if error.code == ErrorCode.CARD_NOT_FOUND`."""

    def __init__(
        self,
        message: str,
        *,
        status: int | None = None,
        code: ErrorCode | None = None,
        details: Sequence[ErrorDetail] = (),
        request_id: str | None = None,
        retry_after: float | None = None,
        rate_limit: RateLimit | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        """For logs and people; not to dispatch on."""
        self.status = status
        """The HTTP status; None where no answer came."""
        self.code = code
        """What to dispatch on; None where the service did not say. New codes may be added."""
        self.details = list(details)
        """The fields of the request that are at fault."""
        self.request_id = request_id
        """Names the request in the service's logs."""
        self.retry_after = retry_after
        """Seconds to wait before another try."""
        self.rate_limit = rate_limit

    def __str__(self) -> str:
        notes = [
            str(self.code) if self.code else "",
            f"status {self.status}" if self.status else "",
            f"request {self.request_id}" if self.request_id else "",
        ]
        faults = "".join(f"\n  {detail.field}: {detail.message}" for detail in self.details)
        known = ", ".join(note for note in notes if note)
        return f"{self.message} ({known}){faults}" if known else self.message


class CardVaultConnectionError(CardVaultError):
    """No whole answer came. Whether the service did what was asked is not known; `__cause__` says more."""


class CardVaultTimeoutError(CardVaultConnectionError):
    """No whole answer came in time."""


class NotModified(CardVaultError):  # noqa: N818 - not a failure: `if_none_match` asked for it
    """What is asked for is still as `if_none_match` says."""
