"""Delays the requests of a client while the rate limit of their class is used up."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

import anyio

from ._answer import Answer, Outcome
from ._window import RateClass, Wait, Window

OnWait = Callable[[Wait], object]

log = logging.getLogger("cardvault")


def _report(window: Window, on_wait: OnWait | None) -> None:
    wait = window.new_wait()
    if wait is None:
        return
    log.warning("The rate limit for %s requests is used up: waiting %.0f s", wait.rate_class, wait.seconds)
    if on_wait:
        on_wait(wait)


class Throttle:
    """The requests of a class. Threads wait for a new window one after the other."""

    def __init__(self, rate_class: RateClass, on_wait: OnWait | None) -> None:
        self._window = Window(rate_class, time.monotonic)
        self._on_wait = on_wait
        self._turn = threading.Lock()  # the thread that has it waits for the window, the others for the lock
        self._changed = threading.Condition()

    def acquire(self) -> None:
        """Wait until the limit allows a request. Afterwards, call `observe`."""
        with self._turn:
            while True:
                with self._changed:
                    if self._window.take():
                        return
                    known = self._window.changes
                _report(self._window, self._on_wait)
                self._await(known)

    def _await(self, known: int) -> None:
        with self._changed:
            seconds = self._window.remaining_time()
            self._changed.wait_for(lambda: self._window.changes != known, seconds)

    def observe(self, outcome: Outcome | None) -> None:
        """Update the limit from the outcome of an attempt, or from None if the attempt was interrupted."""
        with self._changed:
            self._window.observe(outcome if isinstance(outcome, Answer) else None)
            self._changed.notify_all()


class AsyncThrottle:
    """The requests of a class. Tasks wait for a new window one after the other."""

    def __init__(self, rate_class: RateClass, on_wait: OnWait | None) -> None:
        self._window = Window(rate_class, time.monotonic)
        self._on_wait = on_wait
        self._turn = anyio.Lock()
        self._changed: anyio.Event | None = None  # what the task that has the lock waits for

    async def acquire(self) -> None:
        """Wait until the limit allows a request. Afterwards, call `observe`."""
        async with self._turn:
            while not self._window.take():
                _report(self._window, self._on_wait)
                self._changed = anyio.Event()
                with anyio.move_on_after(self._window.remaining_time()):
                    await self._changed.wait()

    def observe(self, outcome: Outcome | None) -> None:
        """Update the limit from the outcome of an attempt, or from None if the attempt was interrupted."""
        self._window.observe(outcome if isinstance(outcome, Answer) else None)
        if self._changed:
            self._changed.set()
