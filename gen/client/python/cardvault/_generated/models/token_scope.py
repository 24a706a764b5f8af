from ..types import OpenEnum


class TokenScope(OpenEnum):
    """What a token may do: `read` allows GET, `write` other methods, `webhooks` all of `/webhooks`."""

    READ = "read"
    WRITE = "write"
    WEBHOOKS = "webhooks"
