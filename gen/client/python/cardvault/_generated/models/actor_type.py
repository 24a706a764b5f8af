from ..types import OpenEnum


class ActorType(OpenEnum):
    """Who made a change: a request with a token, the import of a file, or background work."""

    TOKEN = "token"
    IMPORT = "import"
    WORKER = "worker"
