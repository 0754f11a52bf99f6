#!/bin/bash
# Runs tests and fuzzers with sanitizers, and prints a table of what it ran. `make sanitize` calls it.
#
#   SECONDS_EACH   how long each fuzzer runs
#   SEED           its seed
#   ONLY           runs only the rows whose name has this pattern in it
set -uo pipefail
cd "$(dirname "$0")/.."

# Of the C code, the sanitizer of undefined behaviour goes along, and traps. Swift's own overflows trap in any build.
address=(--sanitize=address -Xcc -fsanitize=undefined -Xcc -fsanitize-trap=undefined
  --scratch-path .build/asan)
thread=(--sanitize=thread --scratch-path .build/tsan)
logs=.build/sanitize
mkdir -p $logs
failed=0
rows=()

# row SANITIZER NAME COMMAND...: runs a command, and notes how it went.
row() {
  local name="$1, $2" log="$logs/$1-${2// /-}.log" start=$SECONDS result=clean
  [[ $name =~ ${ONLY:-.} ]] || return 0
  echo "$name"
  if ! "${@:3}" >"$log" 2>&1; then
    result="FAILED: see $log" failed=1
  fi
  local detail
  detail=$(grep -aE 'Test run with|cases,' "$log" | tail -n 1 |
    sed -E 's/^[^A-Za-z]*//; s/^Test run with //; s/ (passed|failed) after.*//; s/^[a-z]+: seed [0-9]+, //')
  rows+=("$(printf '%-8s %-10s %6s s  %-52s %s' "$1" "$2" $((SECONDS - start)) "$detail" "$result")")
}

# Exit tests trap on purpose: the sanitizers leave those signals to Swift.
export SWIFT_BACKTRACE=enable=no
export ASAN_OPTIONS=handle_sigill=0:handle_sigtrap=0:handle_segv=0:detect_leaks=0
export TSAN_OPTIONS=handle_segv=0:handle_sigill=0:die_after_fork=0

build() { swift build "$@" --build-tests 2>&1 | grep -av 'Cannot export local symbol'; }
build_fuzzer() {
  for product in ued ued-fuzz; do swift build "$@" --product $product || return; done 2>&1
}
tests() { swift test --skip-build --disable-xctest "$@"; }
fuzz() {
  "$1/debug/ued-fuzz" --hostile "$2" --seconds "${SECONDS_EACH:-60}" --seed "${SEED:-1}" \
    --transcripts Tests/uedTests/Transcripts
}

row address build build "${address[@]}"
row address library make sanitize-library
row address program tests "${address[@]}" --filter uedTests
for kind in databases patches scripts settings keys; do
  row address $kind fuzz .build/asan $kind
done
row thread library make sanitize-library SANITIZER=thread
row thread build build_fuzzer "${thread[@]}"
for kind in scripts keys; do
  row thread $kind fuzz .build/tsan $kind
done

echo
printf '%s\n' "${rows[@]}"
exit $failed
