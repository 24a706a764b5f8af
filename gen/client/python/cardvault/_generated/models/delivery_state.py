from ..types import OpenEnum


class DeliveryState(OpenEnum):
    """`pending` until the endpoint responds with 2xx (`delivered`, kept for 30 days) or the last attempt fails
    (`dropped`, kept for 90 days)."""

    PENDING = "pending"
    DELIVERED = "delivered"
    DROPPED = "dropped"
