"""What Schemathesis cannot read from the contract, for scripts/contract/schemathesis.sh. Importing a module registers it."""

import gc

import blanks  # noqa: F401
import conformance  # noqa: F401
import pictures  # noqa: F401
import realism  # noqa: F401
import refusals  # noqa: F401

# Most of what generation makes lasts for the whole run: looking through it for garbage took a twentieth of the time.
gc.set_threshold(100_000, 50, 100)
