from ..types import OpenEnum


class ScanStatus(OpenEnum):
    """`created` if the card was created, `refused` if one of its photos was refused."""

    CREATED = "created"
    REFUSED = "refused"
