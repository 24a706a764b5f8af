from ..types import OpenEnum


class Game(OpenEnum):
    """The game or kind of card."""

    POKEMON = "pokemon"
    MAGIC = "magic"
    YUGIOH = "yugioh"
    SPORTS = "sports"
    OTHER = "other"
