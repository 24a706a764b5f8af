from ..types import OpenEnum


class JobStatus(OpenEnum):
    """`queued` until the job starts. `done` when each card was changed, needed no change, or was refused."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    CANCELLED = "cancelled"
