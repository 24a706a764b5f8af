#!/usr/bin/env bash
# Fails if the contract breaks a client of the last release: scripts/contract/breaking.sh [RELEASED TODAY]
set -euo pipefail
scripts=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source=scripts/contract/released.sh
. "$scripts/contract/released.sh"

released=${1:-$(newest_release "$scripts/../openapi/released")}
today=${2:-$scripts/../openapi/v1.yaml}
[[ -n $released ]] || { echo "breaking: nothing has been released yet"; exit 0; }

status=0
report=$("$scripts/contract/oasdiff.sh" breaking "$released" "$today" --fail-on ERR 2>&1) || status=$?
# Without a warning the report of a successful comparison is empty.
if [[ $status -ne 0 || $report == *[[:cntrl:]]warning* ]]; then printf '%s\n' "$report" >&2; fi

case $status in
  0) echo "breaking: nothing breaks a client of $(version_of "$released")" ;;
  1)
    cat >&2 <<-END
	breaking: what is marked "error" breaks clients of $(version_of "$released"), who are promised that v1 only grows.
	  Leave what is there and add beside it. What cannot be added belongs into v2.
	  The rule: openapi/released/README.md. For a change that breaks no client: scripts/contract/levels.txt.
	END
    exit 1
    ;;
  *)
    echo "breaking: oasdiff could not compare the two; its output is above" >&2
    exit "$status"
    ;;
esac
