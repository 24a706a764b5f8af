"""Generated from the contract by scripts/generate.sh. Do not edit."""

__version__ = "1.0.0"
