#!/bin/bash
# Loads, edits, saves and stores texts under every limit of memory: memory.sh UED FROM TO STEP, in MB.
# No run may crash, leave a file that is neither the old nor the new text, or end with status 0 without the new one.
set -u
ued=$1 from=$2 to=$3 step=$4
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 2
export HOME=$folder
ulimit -c 0
failures=0

yes 'a line of text, and others like it' | head -n 600000 >old
printf '1,$s/text/TEXT/g\ng/others/s/like/LIKE/\n1c\nnew\n.\nw\nq\n' >edit
cp old new
"$ued" -s new <edit || exit 2
(echo a; yes 'text of a pipe, line after line' | head -c 30000000; echo; echo .; echo 'w in'; echo Q) >input
printf 'g/others/s/like/LIKE/\nblame\ndiff\nhistory patch\nrevert 1\n' >words
printf '1d\n!sed s/line/LINE/ old >other; mv other file\nmerge disk\n' >merge
printf 'g/1/a\\\nmore\ng/e/t.\n,!sort -r\nQ\n' >more
printf ',n\n' >print
(printf 's/x/'; head -c 20000000 /dev/zero | tr '\0' y; printf '/\n='; printf '\nQ\n') >long

# Runs ued with input and arguments, and looks at its status and the file that it was to change.
run() {
  local name=$1 text=$2 status problem=
  shift 2
  cp old file
  (ulimit -v $((limit * 1024)) && exec timeout 60 "$ued" "$@") <"$text" >out 2>errors
  status=$?
  [ $status -lt 124 ] || [ $status = 127 ] || problem='a crash, or no end'
  if ! cmp -s file old && ! cmp -s file new; then problem='a torn file'; fi
  case $name in
    load | long | words | merge | more | print) ;;
    input) [ $status != 0 ] || cmp -s in whole || problem='status 0, and the text is not written' ;;
    *) [ $status != 0 ] || cmp -s file new || problem='status 0, and the old text' ;;
  esac
  [ $status = 0 ] || [ -s out ] || [ -s errors ] || problem='no message'
  [ -z "$problem" ] && return
  echo "$limit MB, $name: $problem (status $status) $(tail -c 200 errors | tr '\n' ' ')"
  failures=$((failures + 1))
}

sed '1d' input | head -n -3 >whole
for ((limit = from; limit <= to; limit += step)); do
  rm -rf .local in
  run load /dev/null -s file
  run edit edit -s file
  run history edit -s --history file
  run strict /dev/null -s -i -f edit file
  run expressions /dev/null -s -i -e '1,$s/text/TEXT/g' -e 'g/others/s/like/LIKE/' -e '1c\new' file
  run input input -s
  run long long -s file
  run words words -s --history file
  run merge merge -s --history file
  run more more -s file
  run print print --json file
done
[ $failures = 0 ]
