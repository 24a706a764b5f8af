"""What Schemathesis cannot read from the contract, for scripts/contract/schemathesis.sh. Importing a module registers it."""

import conformance  # noqa: F401
import pictures  # noqa: F401
import realism  # noqa: F401
import refusals  # noqa: F401
