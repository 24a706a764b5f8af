"""One call of an operation: the request, its retries and the result. The clients send and wait."""

from __future__ import annotations

import json
import logging
import uuid
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Generic, NoReturn, TypeVar

from ._answer import MALFORMED, Answer, Outcome, error_of, unreadable
from ._generated.types import Request, Unset
from ._settings import Settings
from ._transport import is_distrust
from ._window import exceeds_limit, rate_class
from .errors import CardVaultConnectionError, CardVaultError, ErrorCode
from .responses import RateLimit, ResponseInfo

T = TypeVar("T")

FIRST_PAUSE = 0.5
LONGEST_PAUSE = 8.0
BUSY_PAUSE = 8.0
"""The minimum pause while the service still processes an earlier attempt."""
LONGEST_RETRY_AFTER = 120.0
UPLOAD_RATE = 128 * 1024
"""The slowest upload of a form that does not time out, in bytes per second: one megabit."""
PASSING = frozenset({429, 502, 503})
"""The statuses of temporary errors. 500 is not one of them, because its effect is unknown."""

log = logging.getLogger("cardvault")


def _refuse(value: object) -> NoReturn:
    """Raise TypeError for a value that has no form in JSON, with what to give instead."""
    if isinstance(value, Decimal):
        raise TypeError(f"{value!r} cannot be sent: give an amount in minor units as an int, or use money_from_decimal")
    raise TypeError(f"{value!r} cannot be sent: a {type(value).__name__} has no form in JSON")


class Call(Generic[T]):
    """Decides whether and when to retry. Send the request and pass the outcome to `pause_after` until it returns None.

    Then `result` is set. All attempts send the same bytes. A POST has an Idempotency-Key, so it is safe to repeat it.
    """

    result: T

    def __init__(self, request: Request[T], settings: Settings, draw: Callable[[], float]) -> None:
        """Prepare the request. `draw` returns a random number from 0 to 1."""
        self._request = request
        self._draw = draw
        self._on_response = settings.on_response
        self._retries_left = settings.max_retries
        self._attempts = 0
        self.method = request.method
        self.rate_class = rate_class(request.method, request.path)
        self.url = settings.base_url + request.path
        self.query = request.query
        self.headers = {**settings.headers(), **_sendable(request.headers)}
        self.content = request.content
        self.upload_time = 0.0
        """Seconds that each attempt gets in addition to the timeout."""
        if request.form:
            self.headers["Content-Type"] = request.form.content_type
            self.content = request.form.content
            self.upload_time = len(self.content) / UPLOAD_RATE
        if not isinstance(request.json, Unset):
            self.headers["Content-Type"] = "application/json"
            self.content = json.dumps(request.json, ensure_ascii=False, allow_nan=False, default=_refuse).encode()
        if request.method == "POST":
            self.headers.setdefault("Idempotency-Key", uuid.uuid4().hex)

    def pause_after(self, outcome: Outcome) -> float | None:
        """Return the seconds until the next attempt, or None if `result` is set. Raise an error that is not retried."""
        self._attempts += 1
        if isinstance(outcome, Answer):
            self._tell(outcome)
        if isinstance(outcome, Answer) and outcome.status // 100 == 2:
            self._read(outcome)
            return None
        error = error_of(outcome) if isinstance(outcome, Answer) else outcome
        if self._retries_left == 0 or not self._may_pass(error):
            raise error
        if error.retry_after is not None and error.retry_after > LONGEST_RETRY_AFTER:
            raise error
        self._retries_left -= 1
        if exceeds_limit(error.status, error.rate_limit):
            return 0.0  # the throttle delays the next attempt
        pause = self._least_pause(error) + self._backoff()
        log.info("%s %s: %s; again in %.1f s", self.method, self._request.path, error, pause)
        return pause

    def _tell(self, answer: Answer) -> None:
        if self._on_response is None:
            return
        request_id, rate_limit = answer.headers.get("X-Request-Id"), RateLimit.of(answer.headers)
        self._on_response(ResponseInfo(self.method, self.url, answer.status, answer.headers, request_id, rate_limit))

    def _read(self, answer: Answer) -> None:
        try:
            self.result = self._request.parse(json.loads(answer.body) if answer.body else None)
        except MALFORMED as error:
            raise unreadable(answer, error) from error

    def _may_pass(self, error: CardVaultError) -> bool:
        if isinstance(error, CardVaultConnectionError):
            return not is_distrust(error)
        if error.status in PASSING:
            return True
        # The service still processes an earlier attempt of this call, whose response was lost.
        return self._attempts > 1 and error.code == ErrorCode.IDEMPOTENCY_CONFLICT

    def _least_pause(self, error: CardVaultError) -> float:
        if error.code == ErrorCode.IDEMPOTENCY_CONFLICT:
            return BUSY_PAUSE
        return error.retry_after or 0.0

    def _backoff(self) -> float:
        """Return a random pause, so that clients that failed at the same time do not retry at the same time."""
        return self._draw() * min(LONGEST_PAUSE, FIRST_PAUSE * 2.0 ** (self._attempts - 1))


def _sendable(headers: Mapping[str, str]) -> Mapping[str, str]:
    for name, value in headers.items():
        if not value.isascii() or not value.isprintable():
            raise ValueError(f"{name} cannot be {value!r}: give printable ASCII characters")
    return headers
