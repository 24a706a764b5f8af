#!/usr/bin/env bash
# Does what openapi/guides/getting-started.md says, to the letter, and tells how long that takes:
# scripts/getting-started.sh [go|typescript|python...]
#
# Commands, files and what must be seen are taken out of the page. The first line of a block of code says what it is:
#
#   terminal=N   commands for the N-th terminal
#   file=PATH    a file, beside the clone
#   expect=N     what the N-th terminal shows before one goes on, in any order of lines; … stands for the rest of a line
#   language=L   only for those who have chosen this language
#
# Each language starts with a clean clone of what is committed here. Only the ports are this script's own.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"

page=$root/openapi/guides/getting-started.md
address=https://github.com/cardvault/cardvault # what the page clones; here it stands for this checkout
limit=600                                      # seconds that the page promises

terminals=() # process groups, and the pipes by which they are told what to do
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

# environment is that of somebody who has just sat down, but for the ports of make run, which other work may hold.
environment() {
  unset "${!CARDVAULT_@}" API SERVER TOKEN ACCOUNT SECRET MAKEFLAGS MFLAGS MAKELEVEL IN_PARALLEL
  CARDVAULT_ADDR=127.0.0.1:$(free_port)
  CARDVAULT_ADMIN_ADDR=127.0.0.1:$(free_port)
  CARDVAULT_MARKET_ADDR=127.0.0.1:$(free_port)
  export "${!CARDVAULT_@}"
  export GIT_CONFIG_COUNT=2 GIT_CONFIG_KEY_0="url.$root.insteadOf" GIT_CONFIG_VALUE_0=$address \
    GIT_CONFIG_KEY_1=safe.directory GIT_CONFIG_VALUE_1='*'
}

# open_terminal N starts a shell that does what it is told by a pipe, in a session of its own.
open_terminal() {
  local n=$1
  mkfifo "$work/terminal-$n"
  (cd "$work" && exec setsid bash -e <"$work/terminal-$n" >"$work/terminal-$n.log" 2>&1) &
  terminals[n]=$!
  exec {fd}>"$work/terminal-$n"
  inputs[n]=$fd
  echo 'trap : TERM' >&"$fd" # it outlives what it runs, and so tells when that has ended
}

# run N FILE has a terminal do the commands in a file, after those that it is at. They get no input, as in a script.
run() {
  [[ ${terminals[$1]:-} ]] || open_terminal "$1"
  printf '. %q </dev/null\n' "$2" >&"${inputs[$1]}"
}

# await N FILE waits until a terminal has shown all lines of a file.
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

# close_terminals ends what runs in them, newest first, and waits until it has ended.
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

# do_block INFO FILE does what a block of code, saved in a file, asks of a reader in this language.
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

# follow_page does all blocks of the page in their order.
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

# start_over LANGUAGE gets to a verified webhook from nothing, in a folder of its own.
start_over() {
  language=$1 started=$SECONDS hook_port=3000
  ! listening 3000 || hook_port=$(free_port)
  [[ $hook_port == 3000 ]] || say "port 3000 is taken here: $hook_port stands for it"
  work=$root/.data/getting-started/$language
  if [[ -d $work/cardvault ]]; then remove_work; fi # a run that failed leaves it to be looked at
  rm -rf "$work"
  mkdir -p "$work"
  environment
  follow_page
  printf '%-12s %4d s from a clean clone to a verified webhook\n' "$language" $((SECONDS - started))
  close_terminals
  remove_work
  work=
}

[[ -e $root/.git ]] || die "this is no git checkout, so there is nothing to clone"
trap clean_up EXIT
trap 'exit 1' INT TERM
"$root/scripts/install.sh" run test
use_node
[[ $# -gt 0 ]] || set -- go typescript python
for each; do start_over "$each"; done
