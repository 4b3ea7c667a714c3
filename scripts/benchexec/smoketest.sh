#!/usr/bin/env bash
# Runs the program of an archive on two tasks of its own: one is violated, one holds. It stands beside the program.
set -eu
cd "$(dirname "${BASH_SOURCE[0]}")"
./selvedge --version
expect() {
  local code=0
  ./selvedge --property unreach-call.prp --no-trace --timeout 60 "$1" || code=$?
  if [ "$code" != "$2" ]; then
    echo "error: exit code $code of $1, expected $2" >&2
    exit 1
  fi
}
expect smoketest/lost_update.c 10
expect smoketest/queue.c 0
echo "all is well"
