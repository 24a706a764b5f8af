#!/usr/bin/env bash
# Tests the Go client: format, vet, staticcheck, unit tests, and tests against a real service that install it into an empty
# project and run the code of its README. Run it with scripts/with-server.sh.
set -euo pipefail
program=sdk/go
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/../lib.sh"
cd "$root/gen/client/go"

staticcheck=honnef.co/go/tools/cmd/staticcheck@v0.8.2

: "${API:?run it as scripts/with-server.sh scripts/sdk/go.sh}" "${TOKEN:?}" "${ACCOUNT:?}"

say "gofmt, go.mod, vet, staticcheck"
unformatted=$(gofmt -l .)
[[ -z $unformatted ]] || die "run gofmt -w on:"$'\n'"$unformatted"
go mod tidy -diff || die "run go mod tidy in gen/client/go"
[[ ! -e go.sum ]] || die "the client must only depend on the standard library, but go.sum exists"
go vet -tags e2e ./...
go run "$staticcheck" -tags e2e ./...

say "tests, those against $API too"
go test -race -vet=off -tags e2e -count 1 ./...
