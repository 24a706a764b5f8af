from ..types import OpenEnum


class Condition(OpenEnum):
    """Near mint, lightly played, moderately played, heavily played, damaged."""

    NM = "NM"
    LP = "LP"
    MP = "MP"
    HP = "HP"
    DMG = "DMG"
