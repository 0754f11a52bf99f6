#!/bin/bash
# Prints the public API of a module, a declaration or a conformance a line, from the folder of compiled modules.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
swift-symbolgraph-extract -module-name "$2" -I "$1" -output-dir "$folder" \
  -target "$(swift -print-target-info | jq -r .target.unversionedTriple)" \
  -minimum-access-level public -skip-synthesized-members
# Each module that is extended has a file of its own.
jq -r '
  (.symbols[] | [(.pathComponents | join(".")), ([.declarationFragments[].spelling] | join(""))]),
  ((.symbols | map({key: .identifier.precise, value: (.pathComponents | join("."))}) | from_entries) as $names
    | .relationships[] | select(.kind == "conformsTo")
    | select($names[.source]) | [$names[.source], "is a " + ($names[.target] // .targetFallback)]
    | select(.[1] | test("(Copyable|Escapable|SendableMetatype)$") | not))
  | join("  ")' "$folder"/*.symbols.json | LC_ALL=C sort -u
