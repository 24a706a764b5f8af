from ..types import OpenEnum


class ExcludedComparableReason(OpenEnum):
    """`outlier` if the price is too far from the others, `other_currency` if most prices are in another currency."""

    OUTLIER = "outlier"
    OTHER_CURRENCY = "other_currency"
