#!/usr/bin/env bash
# Prints a contract with the known values of open schemas as enumerations: scripts/contract/known.sh CONTRACT
#
# x-known-values lists the values that this release knows of a schema that may have others in responses, such as the names
# of marketplaces. To oasdiff, a value that leaves the list is one that requests cannot have any more, and to the generator
# of the Go client it is a constant.
set -euo pipefail
closed=$(sed -E "s/maxLength: [0-9]+, pattern: '[^']*', x-known-values:/enum:/" "$1")
if grep -q '[ {]x-known-values:' <<<"$closed"; then
  echo "known: x-known-values must follow maxLength and pattern, on one line" >&2
  exit 1
fi
printf '%s\n' "$closed"
