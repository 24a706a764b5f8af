from ..types import OpenEnum


class WorkflowStatus(OpenEnum):
    """Follows from the card's facts and moves one edge at a time: `imported` → `identified` → `priced` →
    `photographed` → `listed` → `sold`. `photographed` means a photo of role `listing`; publishing takes any photo,
    so
    `priced` → `listed` happens too. `needs_review`: automatic identification failed. `archived`: put away."""

    IMPORTED = "imported"
    NEEDS_REVIEW = "needs_review"
    IDENTIFIED = "identified"
    PRICED = "priced"
    PHOTOGRAPHED = "photographed"
    LISTED = "listed"
    SOLD = "sold"
    ARCHIVED = "archived"
