from ..types import OpenEnum


class SaleStatus(OpenEnum):
    """`refunded` if the refunds amount to the gross price, otherwise `completed`. `cancelled` is for orders that a
    marketplace cancels; nothing sets it yet."""

    COMPLETED = "completed"
    REFUNDED = "refunded"
    CANCELLED = "cancelled"
