#!/bin/bash
# Runs all tests that start ued with two programs in its place that do nothing, and fails if a test passes with one of
# them: it would not notice if ued did nothing either.
#
#   null-programs.sh STARTED   STARTED: the IDs of these tests, which the environment variable UED_TESTS collects
set -euo pipefail
export LC_ALL=C
cd "$(dirname "$0")/.."
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT
# An ID ends with a place in a file.
names() { sed 's,/[^/]*$,,' | sort -u; }
names <"$1" >"$folder/started"

# The tests that may pass, each with the reason.
sed 's/ *#.*//' >"$folder/allowed" <<'END'
END

tests=$(${SWIFT:-swift} build --show-bin-path)/uedPackageTests.xctest
filter=$(sed 's/[^A-Za-z0-9_]/./g; s/.*/^&/' "$folder/started" | paste -sd'|')

# Lists the tests that pass with a program.
passing() {
  local events="$folder/$1.events"
  # The test program itself, as the package manager would let only one run at a time.
  PATIENCE=10 UED=$2 "$tests" --testing-library swift-testing --filter "$filter" \
    --event-stream-output-path "$events" --event-stream-version 0 >"$folder/$1.log" 2>&1 || true
  grep -q '"kind":"runEnded"' "$events" || {
    echo "the tests crash with $2:"; grep -aE 'Fatal error|error: | at .*/Tests/' "$folder/$1.log" | cut -c 1-300 | head -n 5; exit 1
  }
  jq -r 'select(.payload.kind == "issueRecorded").payload.testID' "$events" | names \
    | comm -23 "$folder/started" - >"$folder/$1"
}

passing false /bin/false & first=$!
passing quiet "$PWD/Tests/null-program"
wait $first
sort -u "$folder/false" "$folder/quiet" >"$folder/passing"
sort "$folder/allowed" | comm -3 "$folder/passing" - >"$folder/wrong"
echo "$(wc -l <"$folder/started") tests start ued; $(wc -l <"$folder/passing") pass with a program that does nothing," \
  "$(wc -l <"$folder/allowed") may"
if test -s "$folder/wrong"; then
  echo 'these pass, or in the second column no longer pass and may leave the list:'; cat "$folder/wrong"; exit 1
fi
