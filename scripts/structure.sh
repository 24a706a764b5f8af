#!/usr/bin/env bash
# scripts/structure.sh [REVISION]: prints the figures of the structure of this checkout, and those of a revision beside them.
# See scripts/structure.
set -euo pipefail
cd "$(dirname "$0")/.."

directories=()
if [[ ${1:-} ]]; then
  earlier=.data/structure/$(git rev-parse --short=12 "$1")
  trap 'git worktree remove --force "$earlier"' EXIT
  git worktree add --quiet --force --detach "$earlier" "$1"
  directories+=("$earlier")
fi
go run ./scripts/structure "${directories[@]}" .
