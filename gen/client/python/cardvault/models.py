"""The types of requests and responses, as in the contract.

A request omits fields that are `UNSET`. It contains null for `None`, which clears the field in a patch. Enumerations
are strings. The service may add values; for a value that this version does not know, `is_known` is false. Unknown
fields are in `additional_properties`, and `card["name"]` returns one of them.
"""

from ._generated.models import *  # noqa: F403 - all models; their __all__ is generated
