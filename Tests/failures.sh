#!/bin/bash
# Prints what failed in a test run, in at most 40 lines: the name of each test, its place, what was expected and what was
# there, with bytes as text.
#
#   failures.sh EVENTS…   files that the test program has written with --event-stream-output-path
set -euo pipefail
jq -rs '
  def text: gsub("\\[(?<bytes>[0-9]{1,3}(, [0-9]{1,3})*)\\]"; .bytes | split(", ") | map(tonumber) | implode | tojson);
  def lines($count): text | split("\n") | map(if length > 300 then .[:300] + "…" else . end)
    | if length > $count then .[:$count] + ["…"] else . end | map("    " + .);
  [.[] | .payload | select(.kind == "issueRecorded")] | group_by(.testID) as $tests
  | ($tests | length) as $count | (if $count > 3 then 6 else 12 end) as $each
  | $tests[] | . as $issues | .[0]
  | "✘ " + (.testID | split("/")[1:-1] | join("/") | gsub("`|\\(.*"; "")),
    (if ._testCase then "    with " + (._testCase.displayName | tojson | .[:200]) else empty end),
    "    \(._sourceLocation._filePath | sub(".*/Tests/"; "Tests/")):\(._sourceLocation.line)"
      + (if ($issues | length) > 1 then ", and \(($issues | length) - 1) more" else "" end),
    ([.messages[].text | select(. != "Issue recorded")] | join("\n") | lines($each)[])
' "$@" | awk 'NR <= 38 { print } /^✘/ && NR > 38 { more++; if (more == 1) name = substr($0, 5) }
  END { if (more) print "and " more " more, the first of them: " name; else if (NR > 38) print "…" }'
