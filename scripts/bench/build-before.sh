#!/usr/bin/env bash
# Builds programs of another commit into a folder: scripts/bench/build-before.sh COMMIT FOLDER PACKAGE...
# It builds in a temporary working tree.
set -euo pipefail
cd "$(dirname "$0")/../.."

commit=$1 folder=$(realpath -m "$2") tree=$(realpath -m "$2-tree")
printf 'bench: building %s\n' "$commit" >&2
git worktree remove --force "$tree" 2>/dev/null || true
git worktree add --detach "$tree" "$commit" >&2
mkdir -p "$folder"
(cd "$tree" && go build -o "$folder/" "${@:3}")
git worktree remove --force "$tree"
