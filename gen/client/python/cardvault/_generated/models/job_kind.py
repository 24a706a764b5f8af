from ..types import OpenEnum


class JobKind(OpenEnum):
    """What the job does with each card: `update` applies `patch` or `price_change`, as `PATCH /cards/{id}`; `identify`
    queues the card for
    automatic identification; `publish` publishes it at its asking price on the default marketplace; `end` ends its
    live
    listing; `archive` archives it, and first ends its live listing: the card stays `listed` until it has ended;
    `delete`
    deletes it; `restore` brings a deleted card back. Only the undo of a job has the kind `restore`: a request
    cannot
    name it."""

    UPDATE = "update"
    IDENTIFY = "identify"
    PUBLISH = "publish"
    END = "end"
    ARCHIVE = "archive"
    DELETE = "delete"
    RESTORE = "restore"
