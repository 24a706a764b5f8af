from ..types import OpenEnum


class SaleStatus(OpenEnum):
    """`refunded` if the price was returned in full, otherwise `completed`. `voided` for a sale that was recorded by
    mistake. `cancelled` is for orders that a marketplace cancels; nothing sets it yet."""

    COMPLETED = "completed"
    REFUNDED = "refunded"
    CANCELLED = "cancelled"
    VOIDED = "voided"
