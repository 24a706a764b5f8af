from ..types import OpenEnum


class ActorType(OpenEnum):
    """Who made a change: a request with a token, a user of the dashboard, the import of a file, or background work."""

    TOKEN = "token"
    USER = "user"
    IMPORT = "import"
    WORKER = "worker"
