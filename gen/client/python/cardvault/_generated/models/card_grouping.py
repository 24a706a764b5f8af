from ..types import OpenEnum


class CardGrouping(OpenEnum):
    """The field by which cards are grouped."""

    STATUS = "status"
    LOCATION = "location"
    SET = "set"
    BATCH = "batch"
    GAME = "game"
