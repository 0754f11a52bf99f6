#!/bin/sh
# Times one substitution in each of many small files: sed, sd and perl, which sync nothing, beside ued, which syncs each
# file before it takes its name. Then a run over 300 files with a history, and its undo. Each program has a folder of its
# own, and the programs take turns.
#
#     many-files.sh [UED [COUNT [FOLDER]]]
set -eu

ued=$(realpath "${1:-.build/release/ued}")
count=${2:-10000}
folder=$(mktemp -d "${3:-.}/ued-many.XXXXXX")
trap 'rm -rf "$folder"' EXIT
folder=$(realpath "$folder")
export HOME="$folder/home"
mkdir "$HOME"

make_files() {
  mkdir "$folder/$1"
  cd "$folder/$1"
  seq "$2" | while read -r number; do
    printf 'Port 22\nRoot yes\nLog info\nentry %s\n' "$number" >"f$number"
  done
}

milliseconds() { echo $(($(date +%s%N) / 1000000)); }

timed() {
  cd "$folder/$1"
  shift
  sync
  start=$(milliseconds)
  "$@" f* >/dev/null
  printf ' %6d' $(($(milliseconds) - start))
}

for program in sed sd perl ued atomic history; do make_files $program "$count"; done
echo "milliseconds for $count files: sed, sd, perl, ued -i, ued -i --atomic, ued -i --history"
for _ in 1 2 3; do
  timed sed sed -i 's/Port/&x/'
  timed sd sd Port Portx
  timed perl perl -pi -e 's/Port/Portx/'
  timed ued "$ued" -i -e '1s/Port/&x/'
  timed atomic "$ued" -i --atomic -e '1s/Port/&x/'
  timed history "$ued" -i --history -e '1s/Port/&x/'
  echo
done

echo "milliseconds for 300 files: ued -i --atomic --history, ued --undo-run"
for round in 1 2 3; do
  make_files "undo$round" 300
  timed "undo$round" "$ued" -i --atomic --history --run="bench$round" -e '1s/Port/&x/'
  start=$(milliseconds)
  "$ued" --undo-run="bench$round" >/dev/null
  printf ' %6d\n' $(($(milliseconds) - start))
done
