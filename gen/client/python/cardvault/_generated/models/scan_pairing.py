from ..types import OpenEnum


class ScanPairing(OpenEnum):
    """Which photos show the same card. With `none`, each photo is the front of a card. With `order`, the photos are a
    front, its back, the next front and so on, so their number is even. With `name`, two files are the front and the
    back of a card if their names, without the extension, differ only by one of these pairs of endings: `-front` and
    `-back`, `_f` and `_b`, `-1` and `-2`, `(1)` and `(2)`. The case of letters does not matter. A file without a
    partner is the front of a card. The default is `none`."""

    NONE = "none"
    ORDER = "order"
    NAME = "name"
