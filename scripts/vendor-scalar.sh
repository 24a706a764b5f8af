#!/usr/bin/env bash
# Updates the API reference's component, Scalar, in internal/portal/scalar/: scripts/vendor-scalar.sh [--check]
#
# Copies the browser build (ES modules, so that a page loads only the parts it shows) out of the published npm package,
# file by file as it is, compressed; nothing is built and nothing of the package is run. With --check it changes nothing
# and fails where the committed files differ from the package's. To update: set the versions, run it, set the
# integrity that it prints, run it again, run make portal, commit. Packages are kept under .data/, so that a second run needs no network.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/lib.sh
. scripts/lib.sh

version=1.72.1
integrity=sha512-XpEJ0rfc/cXbCrR+iC4kK0o/WwX2dTtGQbT049OlPKAHD6IMIFdTeGz2r+M27P2EDWKyUITRm/NzlP8z2pw/Ow==
# The package has no licence text; a sibling package has it.
licence_version=0.6.10
licence_integrity=sha512-fZkelRwcEeAhsn4c0wjYXWrzSzLaEyfxTn/eazXJ4XfCIsgJTQyK0FD8mnOBZJ2vEIbtT2E1mBKnCbDxrJIlxA==

folder=internal/portal/scalar

# vendor FOLDER fills a folder with what is committed. Source maps are left out: twice the size, and only for debuggers.
vendor() {
  local target=$1 file
  mkdir -p "$target/chunks"
  (cd "$work/scalar/dist/browser" && find standalone.esm.js chunks -name '*.js') | while read -r file; do
    gzip -9n <"$work/scalar/dist/browser/$file" >"$target/$file.gz"
  done
  cp "$work/licence/LICENSE" "$target/LICENSE"
  echo "$version" >"$target/VERSION"
}

# plain FOLDER unpacks every file, because two compressions of the same bytes may differ.
plain() { find "$1" -name '*.gz' -exec gunzip -q {} +; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fetch_npm @scalar/api-reference "$version" "$integrity" "$work/scalar"
fetch_npm @scalar/types "$licence_version" "$licence_integrity" "$work/licence"
vendor "$work/fresh"
if [[ ${1:-} == --check ]]; then
  cp -r "$folder" "$work/committed"
  plain "$work/committed"
  plain "$work/fresh"
  diff -rq "$work/committed" "$work/fresh" >&2 || die "$folder is not Scalar $version: run scripts/vendor-scalar.sh"
  exit
fi
rm -rf "$folder"
mkdir -p "$(dirname "$folder")"
cp -r "$work/fresh" "$folder"
say "$folder is Scalar $version, $(du -sh --apparent-size "$folder" | cut -f 1)"
