#!/usr/bin/env bash
# Runs commands at the same time, each a shell line: scripts/side-by-side.sh 'make check' 'make lint compatible'
#
# The output of each is printed when it has ended; until then it is in .data/side-by-side/. Fails if any fails.
set -euo pipefail
cd "$(dirname "$0")/.."

logs=.data/side-by-side
mkdir -p "$logs"

# line COMMAND runs one and prints what it printed.
line() {
  local log status=0 begun=$SECONDS
  log=$(mktemp "$logs/XXXXXX")
  bash -euo pipefail -c "$1" >"$log" 2>&1 || status=$?
  cat "$log"
  rm "$log"
  printf 'side-by-side: %s: %s after %d s\n' "$1" "$([[ $status -eq 0 ]] && echo done || echo failed)" $((SECONDS - begun))
  return "$status"
}

pids=()
for command; do
  line "$command" &
  pids+=($!)
done
status=0
for pid in "${pids[@]}"; do wait "$pid" || status=1; done
exit "$status"
