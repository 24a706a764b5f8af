"""What requests hold and answers say, as the contract has it.

A field that is left out of a request is `UNSET`; `None` is sent as null, which clears it in a patch. Enumerations are
strings and may grow: a value that this version does not know is kept, with `is_known` false. Fields that it does not
know are in `additional_properties`, and `card["name"]` reads one.
"""

from ._generated.models import *  # noqa: F403 - all of them, and their list is generated too
