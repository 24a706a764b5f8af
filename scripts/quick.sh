#!/usr/bin/env bash
# The inner loop: builds everything, and checks and tests the packages with changed files: scripts/quick.sh
#
# Changed are the files that are not committed or, if all are, those of the last commit. BASE=COMMIT takes those since
# COMMIT. The tests run without the race detector. Packages that import a changed one are compiled but not tested, and of
# the end-to-end tests only those in changed files run: make test runs all.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/lib.sh
. scripts/lib.sh

# changed_since COMMIT prints the files that differ from a commit, and new files.
changed_since() {
  git diff --name-only "$1" --
  git ls-files --others --exclude-standard
}

# package_of FILE prints the package that a file belongs to: the nearest folder above it with Go files. Templates,
# migrations and test data count like code. Files of other modules have none.
package_of() {
  local folder
  folder=$(dirname "$1")
  folder=${folder%%/testdata*}
  until [[ $folder == . || -f $folder/go.mod ]] || compgen -G "$folder/*.go" >/dev/null; do
    folder=$(dirname "$folder")
  done
  if [[ $folder != . && ! -f $folder/go.mod ]]; then echo "./$folder"; fi
}

# step NAME COMMAND... runs a command and prints how long it took.
step() {
  local name=$1 begin=$SECONDS
  shift
  "$@" || die "$name failed"
  say "$name: $((SECONDS - begin)) s"
}

check_format() {
  local file unformatted=()
  for file in "${files[@]}"; do
    if [[ $file == *.go && -f $file && -n $(gofmt -l "$file") ]]; then unformatted+=("$file"); fi
  done
  [[ ${#unformatted[@]} -eq 0 ]] || die "run gofmt -w ${unformatted[*]}"
}

check_packages() {
  go vet "${packages[@]}" && go run "$(sed -n 's/^staticcheck=//p' scripts/check.sh)" "${packages[@]}"
}

# test_packages tests each package, but of internal/e2e and the packages below it only the changed files.
test_packages() {
  local package tests whole=()
  for package in "${packages[@]}"; do
    if [[ $package != ./internal/e2e* ]]; then
      whole+=("$package")
      continue
    fi
    tests=$(printf '%s\n' "${files[@]}" | grep -x "${package#./}/[^/]*_test.go" | xargs -r -d '\n' cat 2>/dev/null |
      sed -nE 's/^func (Test[A-Z][A-Za-z0-9_]*)\(.*/\1/p' | grep -vx TestMain | paste -sd '|') || true
    if [[ -n $tests ]]; then go test -vet=off -ldflags=-w -run "^($tests)\$" "$package" || return; fi
  done
  if [[ ${#whole[@]} -gt 0 ]]; then go test -vet=off -ldflags=-w "${whole[@]}"; fi
}

if [[ ${1:-} == test ]]; then # below, in the environment of with-test-postgres.sh
  mapfile -t files <<<"$FILES"
  mapfile -t packages <<<"$PACKAGES"
  test_packages
  exit
fi

mapfile -t files < <(changed_since "${BASE:-HEAD}")
[[ ${#files[@]} -gt 0 ]] || mapfile -t files < <(changed_since HEAD~1)
mapfile -t packages < <(for file in "${files[@]}"; do package_of "$file"; done | sort -u)
say "changed: ${packages[*]:-no package}"
step format check_format
step build go build ./...
step style scripts/check.sh style imports
if [[ ${#packages[@]} -gt 0 ]]; then
  step checks check_packages
  export FILES PACKAGES
  FILES=$(printf '%s\n' "${files[@]}")
  PACKAGES=$(printf '%s\n' "${packages[@]}")
  step tests scripts/with-test-postgres.sh scripts/quick.sh test
fi
say "passed in $SECONDS s"
