"""The window of a rate limit, as far as the responses of the service show it. Nothing in this module waits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from enum import Enum
from http import HTTPStatus

from ._answer import Answer, retry_after
from .responses import RateLimit

WINDOW = 60.0
"""The length of a window in seconds."""
LONGEST_WAIT = 120.0


class RateClass(str, Enum):
    """A group of operations that share a rate limit."""

    READ = "read"
    WRITE = "write"
    AI = "ai"
    """Identification and price look-up."""

    def __str__(self) -> str:
        return self.value


def rate_class(method: str, path: str) -> RateClass:
    """Return the class of a request, x-rate-class in the contract."""
    if path in ("/identify", "/price-lookup"):
        return RateClass.AI
    return RateClass.READ if method == "GET" else RateClass.WRITE


@dataclass(frozen=True)
class Wait:
    """A wait of a client for the next window of its rate limit."""

    rate_class: RateClass
    seconds: float


class Window:
    """Counts the requests of a class that the limit still allows. Before the first response it allows all."""

    def __init__(self, rate_class: RateClass, clock: Callable[[], float]) -> None:
        self.changes = 0
        """The number of changes that may allow a request."""
        self._class = rate_class
        self._clock = clock
        self._limit: int | None = None
        self._left = 0
        self._reset: datetime | None = None  # the RateLimit.reset of the latest window
        self._end: float | None = None  # when it ends by the clock; None until the first response in a new window
        self._reported: datetime | None = None

    def take(self) -> bool:
        """Count a request. Return False if the limit does not allow it now."""
        if self._limit is None:
            return True
        if self._end is not None and self._clock() >= self._end:
            self._end, self._left = None, self._limit
        if self._left <= 0:
            return False
        self._left -= 1
        return True

    def remaining_time(self) -> float | None:
        """Return the seconds until the window ends.

        None means that the responses to the first requests of a new window have not arrived yet.
        """
        return None if self._end is None else max(0.0, self._end - self._clock())

    def new_wait(self) -> Wait | None:
        """Return the wait for the end of the window, and None if it has been returned before."""
        seconds = self.remaining_time()
        if seconds is None or self._reset == self._reported:
            return None
        self._reported = self._reset
        return Wait(self._class, seconds)

    def observe(self, answer: Answer | None) -> None:
        """Update the limit from a response, or from None if there was none."""
        limit = RateLimit.of(answer.headers) if answer else None
        if answer is None or limit is None or limit.limit <= 0:
            self._give_back()
            return
        is_later = self._reset is None or limit.reset > self._reset
        if not is_later and self._is_past(answer, limit):
            return
        if self._limit is None or (is_later and self._end is not None):  # the window ended earlier than expected
            self._left = limit.remaining
        else:
            self._left = min(self._left, limit.remaining)
        self._limit, self._reset = limit.limit, limit.reset
        self._end = self._clock() + seconds_until(limit.reset, answer)
        self.changes += 1

    def _is_past(self, answer: Answer, limit: RateLimit) -> bool:
        """Report whether a response is a late one of an earlier window."""
        return limit.reset != self._reset or (self._end is None and not exceeds_limit(answer.status, limit))

    def _give_back(self) -> None:
        if self._limit is not None and self._left < self._limit:
            self._left += 1
        self.changes += 1


def exceeds_limit(status: int | None, limit: RateLimit | None) -> bool:
    """Report whether the service rejected a request because the limit of its class was used up.

    It also rejects requests of which too many run at the same time.
    """
    return status == HTTPStatus.TOO_MANY_REQUESTS and limit is not None and limit.limit > 0 and limit.remaining <= 0


def seconds_until(reset: datetime, answer: Answer) -> float:
    """Return the seconds until the reset. The clocks may differ, so the response says what the service's time is."""
    now = datetime.now(timezone.utc)
    if exceeds_limit(answer.status, RateLimit.of(answer.headers)):
        told = retry_after(answer.headers, now)
        if told is not None:
            return min(told, LONGEST_WAIT)
    return min((reset - _date(answer.headers, now)).total_seconds(), WINDOW)


def _date(headers: Mapping[str, str], otherwise: datetime) -> datetime:
    try:
        date = parsedate_to_datetime(headers.get("Date", ""))
        return date if date.tzinfo else date.replace(tzinfo=timezone.utc)
    except (TypeError, ValueError):
        return otherwise
