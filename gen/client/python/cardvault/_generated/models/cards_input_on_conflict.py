from ..types import OpenEnum


class CardsInputOnConflict(OpenEnum):
    """What to do if a card with the same `external_id` exists. `error` refuses the request with
    `409 external_id_taken`, `skip` leaves the card unchanged, and `update` changes the given fields of the card as
    `PATCH /cards/{id}` does. `photos`, `identify` and `hints` have an effect on new cards only."""

    ERROR = "error"
    SKIP = "skip"
    UPDATE = "update"
