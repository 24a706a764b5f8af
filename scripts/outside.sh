#!/usr/bin/env bash
# All that uses a running service from outside, on one: scripts/with-server.sh scripts/outside.sh
#
# Two lines run side by side, because packages, browsers and people at terminals wait more than they work. What a line
# prints comes when it has ended; until then it is in .data/outside/.
set -euo pipefail
cd "$(dirname "$0")/.."

: "${API:?run it as scripts/with-server.sh scripts/outside.sh}"
logs=.data/outside
mkdir -p "$logs"

# users are those who come by themselves.
users() { scripts/sdk.sh && scripts/portal.sh && scripts/getting-started.sh; }

# line NAME COMMAND...: runs it with its output kept, and prints that at the end.
line() {
  local name=$1 begun=$SECONDS status=0
  shift
  "$@" >"$logs/$name.log" 2>&1 || status=$?
  cat "$logs/$name.log"
  printf 'outside: %s %s after %d s\n' "$name" "$([[ $status -eq 0 ]] && echo done || echo failed)" $((SECONDS - begun))
  return "$status"
}

status=0
line contract scripts/contract.sh with-server &
contract=$!
line users users || status=1
wait "$contract" || status=1
exit "$status"
