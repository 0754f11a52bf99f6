#!/bin/sh
# Times `ued -i` and `ued --atomic -i` beside `sed -i`: three commands on each of many small files, in turns, each
# program in a folder of its own. In memory (/dev/shm) syncing costs nothing; on a disk ued syncs, and sed does not.
#
#     many-files.sh [UED [COUNT [FOLDER]]]
set -eu

ued=$(realpath "${1:-.build/release/ued}")
count=${2:-10000}
folder=$(mktemp -d "${3:-/dev/shm}/ued-many.XXXXXX")
trap 'rm -rf "$folder"' EXIT

for program in sed ued atomic; do
  mkdir "$folder/$program"
  cd "$folder/$program"
  seq "$count" | while read -r number; do
    printf 'Port 22\nRoot yes\nLog info\nentry %s\n' "$number" >"f$number"
  done
done

milliseconds() { echo $(($(date +%s%N) / 1000000)); }

timed() {
  cd "$folder/$1"
  shift
  start=$(milliseconds)
  "$@" -e '1s/$/x/' -e '2s/s/ss/' -e '4s/e/ee/' f*
  echo $(($(milliseconds) - start))
}

echo "milliseconds for $count files in ${3:-/dev/shm}: sed -i, ued -i, ued --atomic -i"
for _ in 1 2 3 4 5; do
  sed=$(timed sed sed -i)
  each=$(timed ued "$ued" -i)
  all=$(timed atomic "$ued" --atomic -i)
  echo "$sed $each $all"
done | sort -n
