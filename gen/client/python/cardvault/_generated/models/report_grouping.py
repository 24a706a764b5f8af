from ..types import OpenEnum


class ReportGrouping(OpenEnum):
    """The period or the channel by which sales are grouped. Weeks start on Monday."""

    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    CHANNEL = "channel"
