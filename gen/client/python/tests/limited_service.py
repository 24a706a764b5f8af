"""A service with a rate limit."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from datetime import datetime, timezone
from email.utils import format_datetime

from documents import card, error
from fake_service import Asked, Reply

EPOCH = 1_778_513_520.0


class Limited:
    """Allows `limit` requests in windows of `length` seconds that start with their first request."""

    def __init__(self, limit: int, length: float, clock: Callable[[], float] = time.time) -> None:
        self.limit = limit
        self.length = length
        self.clock = clock
        self.rejected = 0
        self._count = 0
        self._end = 0.0
        self._lock = threading.Lock()

    def __call__(self, asked: Asked | None = None) -> Reply:
        """Return the response to a request."""
        with self._lock:
            now = self.clock()
            if now >= self._end:
                self._end, self._count = now + self.length, 0
            self._count += 1
            headers = {
                "X-RateLimit-Limit": str(self.limit),
                "X-RateLimit-Remaining": str(max(0, self.limit - self._count)),
                "X-RateLimit-Reset": str(math.ceil(self._end)),
                "Date": format_datetime(datetime.fromtimestamp(now, timezone.utc), usegmt=True),
            }
            if self._count <= self.limit:
                return Reply(body=card(), headers=headers)
            self.rejected += 1
            retry = {"Retry-After": str(math.ceil(self._end - now))}
            return error(429, "rate_limited", {**headers, **retry})
