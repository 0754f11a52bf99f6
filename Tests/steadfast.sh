#!/bin/bash
# Runs the tests again and again, every second time beside four processes that compute and one that writes and syncs
# without pause, and says of each run how it ended.
#
#   steadfast.sh [COUNT]   10 runs
set -uo pipefail
cd "$(dirname "$0")/.."
failed=0
folder=$(mktemp -d); trap 'kill $(jobs -p) 2>/dev/null; rm -rf "$folder"' EXIT
for run in $(seq "${1:-10}"); do
  busy=()
  if ((run % 2 == 0)); then
    for _ in 1 2 3 4; do while :; do :; done & busy+=($!); done
    while :; do dd if=/dev/zero of="$folder/file" bs=64k count=16 conv=fsync 2>/dev/null; done & busy+=($!)
  fi
  start=$SECONDS
  make test >"$folder/log" 2>&1 && result=passed || { result=FAILED; failed=$((failed + 1)); }
  ((${#busy[@]})) && { kill "${busy[@]}"; wait "${busy[@]}"; } 2>/dev/null
  echo "run $run: $result in $((SECONDS - start)) s$( ((run % 2)) || echo ', beside five busy processes')"
  test $result = passed || tail -n 45 "$folder/log"
done
echo "$failed of ${1:-10} runs failed"
exit $((failed > 0))
