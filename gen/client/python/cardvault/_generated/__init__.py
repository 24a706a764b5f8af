"""Made from the contract by scripts/generate.sh; never edited."""

__version__ = "1.0.0"
