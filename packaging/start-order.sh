#!/bin/bash
# Lists the functions that a start runs: start-order.sh UED >packaging/start-order
# The linker puts them side by side, so that a start needs fewer pages of the program: a fifth of its time.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
strip --strip-debug -o "$folder/ued" "$1" # valgrind can't read all of it
cd "$folder"
printf 'hello\n' >text
printf 'q\n' >quit
printf 's/h/j/\np\nw\nq\n' >edit

trace() {
  valgrind --tool=callgrind --demangle=no --callgrind-out-file=calls-"$1" ./ued "${@:2}" >/dev/null 2>&1
}
trace 1 -s text <quit
trace 2 -s text <edit
trace 3 -i -e 's/j/h/' text </dev/null

# What every start runs comes first.
for number in 1 2 3; do
  grep -ohE 'fn=\([0-9]+\) .*' calls-$number | sed "s/.*) //; s/'[0-9]*$//" \
    | grep -vE '^(0x|\(below|\?)' | LC_ALL=C sort -u
done | awk '!seen[$0]++'
