#!/bin/sh
# Checks that every relative link in the Markdown files leads to a file or folder.
#
#     links.sh
set -eu
cd "$(dirname "$0")/.."

missing=$(
  find . -name '*.md' -not -path '*/.*/*' | while read -r page; do
    folder=$(dirname "$page")
    # Code in fences, blocks and spans has no links.
    sed -e '/^```/,/^```/d' -e '/^    /d' -e 's/`[^`]*`//g' "$page" | grep -o '](\([^)]*\))' \
      | sed -e 's/^](//' -e 's/)$//' -e 's/#.*//' | sort -u | while read -r target; do
      case $target in '' | http:* | https:* | mailto:*) continue ;; esac
      test -e "$folder/$target" || echo "$page: no file $target"
    done || true
  done
)
if [ -n "$missing" ]; then
  echo "$missing" >&2
  exit 1
fi
