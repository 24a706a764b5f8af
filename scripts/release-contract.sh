#!/usr/bin/env bash
# Releases the contract: scripts/release-contract.sh VERSION [DATE]
#
# DATE, such as 2026-11-20, defaults to that of the last commit. It changes nothing if the contract breaks a client of the
# last release, and prints the next steps. openapi/released/README.md says what a version promises.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/lib.sh
. scripts/lib.sh
# shellcheck source=scripts/contract/released.sh
. scripts/contract/released.sh

[[ $# -ge 1 && $# -le 2 ]] || die "usage: scripts/release-contract.sh VERSION [DATE]"
version=$1
date=${2:-$(git show -s --format=%cs HEAD)}

released=$(newest_release)
if [[ -n $released ]]; then
  last=$(version_of "$released")
  [[ $version != "$last" && $(printf '%s\n' "$last" "$version" | sort -V | tail -n 1) == "$version" ]] ||
    die "$last has been released; the next version must be higher than that, not $version"
fi
[[ $(grep -c '^  version: ' openapi/v1.yaml) -eq 1 ]] || die "openapi/v1.yaml must have one line '  version: …', that of info"

scripts/contract/breaking.sh
scripts/contract/changelog.sh release "$version" "$date"
sed -i "s/^  version: .*/  version: $version/" openapi/v1.yaml
cp openapi/v1.yaml "openapi/released/v1-$version.yaml"

cat <<END
Released $version of the contract. To do:
  make generate     takes the version into gen/
  git diff          then commit openapi/ and gen/ together, and tag the commit contract-v$version
END
