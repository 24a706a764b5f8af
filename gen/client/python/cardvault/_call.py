"""One call of an operation: its attempts, and when there is another. Pure: sending and waiting are the clients'."""

from __future__ import annotations

import json
import logging
import uuid
from collections.abc import Callable
from typing import Generic, TypeVar

from ._answer import MALFORMED, Answer, Outcome, error_of, unreadable
from ._generated.types import Request, Unset
from ._settings import Settings
from ._transport import is_distrust
from .errors import CardVaultConnectionError, CardVaultError, ErrorCode

T = TypeVar("T")

FIRST_PAUSE = 0.5
LONGEST_PAUSE = 8.0
LONGEST_RETRY_AFTER = 120.0
PASSING = frozenset({429, 502, 503})
"""The statuses of what passes by itself. 500 is not among them: nobody knows what was done."""

log = logging.getLogger("cardvault")


class Call(Generic[T]):
    """Send it, hand the outcome to `pause_after`, and go on until that says None: then `result` is there.

    Every attempt is the same request, byte for byte. A POST carries an Idempotency-Key, so repeating it is safe.
    """

    result: T

    def __init__(self, request: Request[T], settings: Settings, draw: Callable[[], float]) -> None:
        """Draw is random, from 0 to 1."""
        self._request = request
        self._draw = draw
        self._retries_left = settings.max_retries
        self._attempts = 0
        self.method = request.method
        self.url = settings.base_url + request.path
        self.query = request.query
        self.headers = {**settings.headers(), **request.headers}
        self.content = request.content
        if not isinstance(request.json, Unset):
            self.headers["Content-Type"] = "application/json"
            self.content = json.dumps(request.json, ensure_ascii=False, allow_nan=False).encode()
        if request.method == "POST":
            self.headers.setdefault("Idempotency-Key", uuid.uuid4().hex)

    def pause_after(self, outcome: Outcome) -> float | None:
        """The seconds before the next attempt, or None with `result` set. Raises what another try would not mend."""
        self._attempts += 1
        if isinstance(outcome, Answer) and outcome.status // 100 == 2:
            self._read(outcome)
            return None
        error = error_of(outcome) if isinstance(outcome, Answer) else outcome
        if self._retries_left == 0 or not self._may_pass(error):
            raise error
        if error.retry_after is not None and error.retry_after > LONGEST_RETRY_AFTER:
            raise error
        self._retries_left -= 1
        pause = self._backoff() + (error.retry_after or 0.0)
        log.info("%s %s: %s; again in %.1f s", self.method, self._request.path, error, pause)
        return pause

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
        # The service is still busy with an earlier attempt of this call, whose answer was lost.
        return self._attempts > 1 and error.code == ErrorCode.IDEMPOTENCY_CONFLICT

    def _backoff(self) -> float:
        """Full jitter, so that clients that failed together do not come back together."""
        return self._draw() * min(LONGEST_PAUSE, FIRST_PAUSE * 2.0 ** (self._attempts - 1))
