#!/bin/sh
# Times opening a file of 10,000 lines with a long history beside one with a short history: only opening, with a first
# change, a save and the change taken back, with `blame` of all lines, and with the history of ten; and `tree` with the
# long one. The least and the median of 21 runs, in turns.
#
#     long-history.sh [UED [GROUPS]]
set -eu

benchmarks=$(dirname "$(realpath "$0")")
ued=$(realpath "${1:-.build/release/ued}")
count=${2:-100000}
folder=$(mktemp -d "${TMPDIR:-/var/tmp}/ued-history.XXXXXX")
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export HOME="$folder"
unset XDG_STATE_HOME

make() {
  seq -f 'line %g' 10000 >"$1"
  awk -v n="$2" 'BEGIN { for (i = 0; i < n; i++) printf "%ds/e.*/e %d/\n", i * 7919 % 10000 + 1, i; print "w" }' |
    "$ued" --history -s "$1" >/dev/null
}
make short 10
make long "$count"

microseconds() { echo $(($(date +%s%N) / 1000)); }

timed() {
  start=$(microseconds)
  "$ued" --history -s "$1" <"$2" >/dev/null
  echo $(($(microseconds) - start))
}

printf 'q\n' >open
printf '1s/$/ z/\nw\nundo\nw\nq\n' >change
printf ',blame\nq\n' >blame
printf '1,10history\nq\n' >lines
for script in open change blame lines; do
  for file in short long; do : >"$file.times"; done
  for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21; do
    for file in short long; do timed "$file" "$script" >>"$file.times"; done
  done
  for file in short long; do
    sort -n "$file.times" | awk -v what="$script, $file" \
      'NR == 1 { least = $1 } NR == 11 { printf "%s: least %.1f ms, median %.1f ms\n", what, least / 1000, $1 / 1000 }'
  done
done
printf 'first screen of '
/usr/bin/python3 "$benchmarks/tree-screen.py" "$ued" long
