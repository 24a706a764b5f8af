#!/usr/bin/env bash
# Follows openapi/guides/getting-started.md literally and measures how long that takes:
# scripts/getting-started.sh [go|typescript|python...]
#
# Commands, files and expected output come from the page. The info string of a code block says what it is:
#
#   terminal=N   commands for the N-th terminal
#   file=PATH    a file, next to the clone
#   expect=N     lines that the N-th terminal must show, in any order; … stands for the rest of a line
#   language=L   only for this language
#
# Each language starts with a clean clone of the last commit. Only the ports differ from those of the page.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"

page=$root/openapi/guides/getting-started.md
address=https://github.com/cardvault/cardvault # the page clones this address, which git maps to this checkout
limit=600                                      # seconds, as the page promises

terminals=() # process groups, and the pipes that send them commands
inputs=()
work=

# die adds the end of each terminal's log to the message.
die() {
  local log
  say "$*"
  for log in "$work"/terminal-*.log; do
    [[ ! -f $log ]] || { say "the end of $log:"; tail -n 15 "$log" | sed 's/^/  | /' >&2; }
  done
  exit 1
}

# environment sets the environment of a new user, but free ports for make run: other programs may use its defaults.
environment() {
  unset "${!CARDVAULT_@}" API SERVER TOKEN ACCOUNT SECRET MAKEFLAGS MFLAGS MAKELEVEL IN_PARALLEL
  CARDVAULT_ADDR=127.0.0.1:$(free_port)
  CARDVAULT_ADMIN_ADDR=127.0.0.1:$(free_port)
  CARDVAULT_MARKET_ADDR=127.0.0.1:$(free_port)
  export "${!CARDVAULT_@}"
  export GIT_CONFIG_COUNT=2 GIT_CONFIG_KEY_0="url.$root.insteadOf" GIT_CONFIG_VALUE_0=$address \
    GIT_CONFIG_KEY_1=safe.directory GIT_CONFIG_VALUE_1='*'
}

# open_terminal N starts a shell in a session of its own. It reads its commands from a pipe.
open_terminal() {
  local n=$1
  mkfifo "$work/terminal-$n"
  (cd "$work" && exec setsid bash -e <"$work/terminal-$n" >"$work/terminal-$n.log" 2>&1) &
  terminals[n]=$!
  exec {fd}>"$work/terminal-$n"
  inputs[n]=$fd
  echo 'trap : TERM' >&"$fd" # it outlives its commands, so that waiting for it waits for them
}

# run N FILE queues the commands of a file in a terminal. They get no input, as in a script.
run() {
  [[ ${terminals[$1]:-} ]] || open_terminal "$1"
  printf '. %q </dev/null\n' "$2" >&"${inputs[$1]}"
}

# await N FILE waits until a terminal shows all lines of a file.
await() {
  local n=$1 line missing
  while IFS= read -r line; do
    while ! grep -qF -- "${line%%…*}" "$work/terminal-$n.log"; do
      missing=$line
      kill -0 "${terminals[n]}" 2>/dev/null || die "terminal $n ended before it showed: $missing"
      [[ $((SECONDS - started)) -lt $limit ]] || die "after $limit seconds terminal $n has not shown: $missing"
      sleep 0.2
    done
  done <"$2"
}

# close_terminals stops the commands in the terminals, the newest first, and waits for them.
close_terminals() {
  local n fd
  for ((n = 9; n > 0; n--)); do
    [[ ${terminals[n]:-} ]] || continue
    fd=${inputs[n]}
    exec {fd}>&-
    kill -TERM -- "-${terminals[n]}" 2>/dev/null || true
    wait "${terminals[n]}" 2>/dev/null || true
  done
  terminals=()
}

# shellcheck disable=SC2317 # called by the trap
clean_up() {
  local status=$?
  close_terminals
  [[ -z $work || $status -ne 0 ]] || remove_work
  exit "$status"
}

remove_work() {
  "$root/scripts/postgres.sh" remove "$work/cardvault/.data/postgres"
  rm -rf "$work"
}

# do_block INFO FILE executes a code block, saved in a file, if it is for this language.
do_block() {
  local attribute terminal='' file='' expect='' only=$language
  for attribute in $1; do
    case $attribute in
      terminal=*) terminal=${attribute#*=} ;;
      file=*) file=${attribute#*=} ;;
      expect=*) expect=${attribute#*=} ;;
      language=*) only=${attribute#*=} ;;
    esac
  done
  [[ $only == "$language" ]] || return 0
  if [[ $terminal ]]; then run "$terminal" "$2"; fi
  if [[ $file ]]; then mkdir -p "$(dirname "$work/$file")" && cp "$2" "$work/$file"; fi
  if [[ $expect ]]; then await "$expect" "$2"; fi
}

# follow_page executes all blocks of the page in order.
follow_page() {
  local line info='' inside='' n=0 block
  while IFS= read -r line <&4; do
    if [[ ! $inside && $line == '```'* ]]; then
      inside=yes info=${line#'```'} n=$((n + 1)) block=$work/block-$n
      : >"$block"
    elif [[ $inside && $line == '```' ]]; then
      inside=
      do_block "$info" "$block"
    elif [[ $inside ]]; then
      printf '%s\n' "${line//3000/$hook_port}" >>"$block"
    fi
  done 4<"$page"
}

# start_over LANGUAGE follows the page from nothing to a verified webhook, in a folder of its own.
start_over() {
  language=$1 started=$SECONDS hook_port=3000
  ! listening 3000 || hook_port=$(free_port)
  [[ $hook_port == 3000 ]] || say "port 3000 is taken here: $hook_port stands for it"
  work=$root/.data/getting-started/$language
  if [[ -d $work/cardvault ]]; then remove_work; fi # kept by a run that failed
  rm -rf "$work"
  mkdir -p "$work"
  environment
  follow_page
  printf '%-12s %4d s from a clean clone to a verified webhook\n' "$language" $((SECONDS - started))
  close_terminals
  remove_work
  work=
}

[[ -e $root/.git ]] || die "not a git checkout: there is nothing to clone"
trap clean_up EXIT
trap 'exit 1' INT TERM
"$root/scripts/install.sh" run test
use_node
[[ $# -gt 0 ]] || set -- go typescript python
for each; do start_over "$each"; done
