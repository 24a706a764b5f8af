#!/usr/bin/env bash
# Updates htmx and Pico CSS in internal/dashboard/assets/vendor/: scripts/vendor-dashboard.sh [--check]
#
# Copies one minified file of each published npm package, and its licence. Nothing of the packages is run. With --check it
# changes nothing and fails if the committed files differ from the packages'. To update: set a version, run it, set the
# integrity that it prints, run it again, run the tests of internal/dashboard, commit.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/lib.sh
. scripts/lib.sh

htmx=4.0.1
htmx_integrity=sha512-oF7JgXhDW9UXCy/k1ZYFUQgzu/rm19ORWPSPNL91vPluB2PB9+MV55tyQdH/w7o2EAbTYUG5SDW1R60mdkdqGg==
pico=2.1.1
pico_integrity=sha512-kIDugA7Ps4U+2BHxiNHmvgPIQDWPDU4IeU6TNRdvXQM1uZX+FibqDQT2xUOnnO2yq/LUHcwnGlu1hvf4KfXnMg==

folder=internal/dashboard/assets/vendor

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fetch_npm htmx.org "$htmx" "$htmx_integrity" "$work/htmx"
fetch_npm @picocss/pico "$pico" "$pico_integrity" "$work/pico"
mkdir "$work/fresh"
# The last line names a source map, which is not served.
sed '/^\/\/# sourceMappingURL=/d' "$work/htmx/dist/htmx.min.js" >"$work/fresh/htmx.min.js"
cp "$work/htmx/LICENSE" "$work/fresh/htmx-LICENSE"
cp "$work/pico/css/pico.min.css" "$work/fresh/pico.min.css"
cp "$work/pico/LICENSE.md" "$work/fresh/pico-LICENSE"
if [[ ${1:-} == --check ]]; then
  diff -rq "$folder" "$work/fresh" >&2 || die "$folder is not htmx $htmx and Pico $pico: run scripts/vendor-dashboard.sh"
  exit
fi
rm -rf "$folder"
mkdir -p "$(dirname "$folder")"
cp -r "$work/fresh" "$folder"
say "$folder is htmx $htmx and Pico $pico"
