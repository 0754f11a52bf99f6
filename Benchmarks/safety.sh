#!/bin/bash
# Makes the same edits with ued and other editors, lets something go wrong, and prints a table of
# what happened to the files. Peers that are not installed are left out.
#
#     Benchmarks/safety.sh [UED [KILLS [PEER...]]]
#
# Each cell has the exit status and the state of the file afterwards. Every peer makes the edit in
# the way that its manual shows first.

set -u
shopt -s nullglob dotglob
ued=$(realpath "${1:-.build/release/ued}")
kills=${2:-50}
export LC_ALL=C.UTF-8 ANSIBLE_LOCALHOST_WARNING=false ANSIBLE_INVENTORY_UNPARSED_WARNING=false HOME

# The full disk is a small file system. Mounting it needs root, so the script becomes root in a
# namespace of its own.
if [[ -z ${SAFETY_NAMESPACE:-} ]]; then
  SAFETY_NAMESPACE=1 exec unshare --user --map-root-user --mount "$0" "$@"
fi

folder=$(mktemp -d)
trap 'cd /; umount "$folder/disk" 2>/dev/null; rm -rf "$folder"' EXIT
mkdir "$folder/work" "$folder/disk" "$folder/home" "$folder/patches"
mount -t tmpfs -o size=8m none "$folder/disk"
HOME=$folder/home
cd "$folder/work" || exit

# MARK: - How each editor makes an edit

# replace OLD NEW FILE...: a whole line in each file.
# twice FILE: two edits, of which the second finds no match.
# broken FILE: two edits, of which the second is an error.
# meanwhile FILE: an edit; another program appends a line after the editor has read the file.
# append LINE FILE: a line at the end.
# revert FILE: edits a file twice, and then gets its first text back.

ued_replace() { "$ued" --atomic -i -e "/^$1\$/s/.*/$2/" "${@:3}"; }
ued_twice() { "$ued" --atomic -i -e '/^one$/s/.*/1/' -e '/^zz$/s/.*/0/' "$1"; }
ued_broken() { "$ued" --atomic -i -e '/^one$/s/.*/1/' -e '2w /dev/full' "$1"; }
ued_meanwhile() { "$ued" --atomic -i -e '/^one$/s/.*/1/' -e "!echo other >>$1" "$1"; }
ued_append() { "$ued" --atomic -i -e "\$a <<END
$1
END" "$2"; }
ued_revert() {
  "$ued" --history -i -e '1s/one/1/' "$1" && "$ued" --history -i -e '2s/two/2/' "$1" \
    && "$ued" --history -i -e 'undo 2' "$1"
}

sed_replace() { sed -i "s/^$1\$/$2/" "${@:3}"; }
sed_twice() { sed -i -e 's/^one$/1/' -e 's/^zz$/0/' "$1"; }
sed_broken() { sed -i -e 's/^one$/1/' -e '2w /dev/full' "$1"; }
sed_meanwhile() { sed -i -e 's/^one$/1/' -e "\$e echo other >>$1" "$1"; }
sed_append() { sed -i "\$a $1" "$2"; }
sed_revert() { sed -i.old 's/one/1/' "$1" && sed -i.old 's/two/2/' "$1" && mv "$1.old" "$1"; }

perl_replace() { perl -pi -e "s/^$1\$/$2/" "${@:3}"; }
perl_twice() { perl -pi -e 's/^one$/1/; s/^zz$/0/' "$1"; }
perl_broken() { perl -pi -e 's/^one$/1/; die if $. == 2' "$1"; }
perl_meanwhile() { perl -pi -e "s/^one\$/1/; system 'echo other >>$1' if eof" "$1"; }
perl_append() { perl -pi -e "\$_ .= qq($1\n) if eof" "$2"; }
perl_revert() { perl -pi.old -e 's/one/1/' "$1" && perl -pi.old -e 's/two/2/' "$1" && mv "$1.old" "$1"; }

# Prints a patch that replaces the first line OLD by NEW: patch_of OLD NEW FILE.
patch_of() { printf -- '--- %s\n+++ %s\n@@ -1 +1 @@\n-%s\n+%s\n' "$3" "$3" "$1" "$2"; }
patch_replace() { for file in "${@:3}"; do patch_of "$1" "$2" "$file"; done | patch -p0; }
patch_twice() { { patch_of one 1 "$1"; printf '@@ -3 +3 @@\n-zz\n+0\n'; } | patch -p0; }
patch_broken() { { patch_of one 1 "$1"; printf '@@ -3 +3 @@\n-three\n*\n'; } | patch -p0; }
patch_meanwhile() {
  (sleep 0.5; echo other >>"$1") &
  patch_of one 1 "$1" | strace -qq -o /dev/null \
    -e inject=rename,renameat,renameat2:delay_enter=1000000:when=1 patch -p0
}
patch_append() { printf -- '--- %s\n+++ %s\n@@ -1 +1,2 @@\n one\n+%s\n' "$2" "$2" "$1" | patch -p0; }
patch_revert() {
  patch_of one 1 "$1" >../patches/1; patch_of 1 2 "$1" >../patches/2
  patch -p0 <../patches/1 && patch -p0 <../patches/2 && patch -R -p0 <../patches/2 && patch -R -p0 <../patches/1
}

vim_replace() { vim -es -c "argdo %s/^$1\$/$2/ | update" -c qa -- "${@:3}"; }
vim_twice() { vim -es -c '%s/^one$/1/' -c '%s/^zz$/0/' -c wq -- "$1"; }
vim_broken() { vim -es -c '%s/^one$/1/' -c '2w /dev/full' -c wq -- "$1"; }
vim_meanwhile() { vim -es -c '%s/^one$/1/' -c "!sleep 1; echo other >>$1" -c wq -- "$1"; }
vim_append() { vim -es -c "\$put ='$1'" -c wq -- "$2"; }
vim_revert() {
  vim -es -c 'set undofile' -c '%s/one/1/' -c wq -- "$1" && vim -es -c 'set undofile' -c '%s/two/2/' -c wq -- "$1" \
    && vim -es -c 'set undofile' -c 'edit' -c 'undo 0' -c wq -- "$1"
}

lineinfile() { ansible localhost -m lineinfile -a "path='$PWD/$1' $2"; }
ansible_replace() {
  local status=0 file
  for file in "${@:3}"; do lineinfile "$file" "regexp='^$1\$' line='$2'" || { status=$?; break; }; done
  return $status
}
ansible_twice() { lineinfile "$1" "regexp='^one\$' line=1" && lineinfile "$1" "regexp='^zz\$' line=0"; }
ansible_broken() { lineinfile "$1" "regexp='^one\$' line=1" && lineinfile "$1" "regexp='(' line=0"; }
ansible_meanwhile() {
  printf '#!/bin/sh\necho other >>%s\n' "$PWD/$1" >../validate; chmod +x ../validate
  lineinfile "$1" "regexp='^one\$' line=1 validate='$folder/validate %s'"
}
ansible_append() { lineinfile "$2" "line='$1'"; }
ansible_revert() {
  lineinfile "$1" "regexp='^one\$' line=1 backup=yes" && sleep 1 \
    && lineinfile "$1" "regexp='^two\$' line=2 backup=yes" || return
  local backups=("$1".*~)
  mv "${backups[0]}" "$1"
}

# MARK: - What can go wrong

# Runs an edit by the present editor, and sets `status`.
edit() { "${editor}_$1" "${@:2}" >/dev/null 2>&1 </dev/null; status=$?; }

fresh() { rm -rf -- *; printf 'one\ntwo\nthree\n' >f; }

# Prints the name of the text that a file has: which_text FILE [TEXT NAME]... [NAME-OF-ANY-OTHER].
# Without a last name, any other text is `damaged`.
which_text() {
  local file=$1
  shift
  while (($# > 1)); do
    cmp -s "$file" <(printf "$1") && { echo "$2"; return; }
    shift 2
  done
  echo "${1:-damaged}"
}

event_1() { title='a pattern that is not found'; fresh; edit twice f
  cell="$status, $(which_text f 'one\ntwo\nthree\n' 'unchanged' '1\ntwo\nthree\n' 'half done' '1\ntwo\nthree\n0\n' 'a line added')"; }
event_2() { title='an error after the first edit'; fresh; edit broken f
  cell="$status, $(which_text f 'one\ntwo\nthree\n' 'unchanged' '1\ntwo\nthree\n' 'half done')"; }
event_3() { title='a line appended by another program'; fresh; edit meanwhile f; wait
  cell="$status, $(which_text f 'one\ntwo\nthree\nother\n' 'its line kept, otherwise unchanged' \
    '1\ntwo\nthree\nother\n' 'both kept' '1\ntwo\nthree\n' 'its line lost')"; }

# A large file: `one`, and many lines of digits.
large() { { echo "$1"; seq -f %09.0f "$2"; } >"$3"; }

event_4() { title='a full disk'; fresh
  # The new line does not fit, even if the editor makes no second copy of the other lines.
  large one 834000 ../old; cp ../old ../disk/f
  (cd ../disk && edit replace one "$(printf %0100000d 0)" f; echo "$status" >../status)
  status=$(<../status)
  if cmp -s ../old ../disk/f; then cell="$status, unchanged"; else cell="$status, cut off"; fi
  rm -f ../disk/*; }

event_5() { title='20 writers at once, the worst of 3 rounds'
  local round number kept failed worst=20
  for round in 1 2 3; do
    fresh; echo one >f
    for number in {1..20}; do (edit append "line $number" f; exit "$status") & done
    failed=0
    for number in $(jobs -p); do wait "$number" || failed=$((failed + 1)); done
    kept=$(grep -c '^line' f)
    if ((kept <= worst)); then worst=$kept; cell="$kept of 20 changes kept, $failed failed"; fi
  done; }

# Starts the edit of the large file in a process namespace. When the first process of the namespace
# dies, all others die, too, so `wait` waits for all of them.
start_edit() {
  unshare --pid --fork --mount-proc bash -c "$(declare -f "${editor}_replace" patch_of lineinfile)
    ued='$ued'; ${editor}_replace one ONE f" >/dev/null 2>&1 </dev/null &
}

event_6() { title="\`kill -9\` at $kills moments, 30 MB"; fresh; large one 3000000 ../old; large ONE 3000000 ../new
  local kill start took length first left torn=0 gone=0 stray=0
  for kill in 1 2 3; do
    cp ../old f; start=${EPOCHREALTIME/./}; start_edit; wait $!
    took=$((${EPOCHREALTIME/./} - start)); ((kill == 1 || took < length)) && length=$took
  done
  for ((kill = 0; kill < kills; kill++)); do
    cp ../old f
    start_edit
    sleep "$(awk "BEGIN { print $length * ($kill + 0.5) / $kills / 1e6 }")"
    # `children` has no newline at its end, so `read` fails although it sets `first`.
    { first=; read -r first <"/proc/$!/task/$!/children"; kill -9 $first; wait $!; } 2>/dev/null
    if [[ ! -e f ]]; then gone=$((gone + 1)); elif ! cmp -s f ../old && ! cmp -s f ../new; then torn=$((torn + 1)); fi
    rm -f f; left=(*)
    ((${#left[@]})) && stray=$((stray + 1)) && rm -rf "${left[@]}"
  done
  cell="$torn torn, $gone missing, $stray with stray files"
  rm -f ../old ../new; }

event_7() { title='the second of three files is missing'; fresh; cp f g; edit replace one 1 f none g
  local changed=0 file; for file in f g; do grep -q '^1$' $file && changed=$((changed + 1)); done
  cell="$status, $changed of 2 changed"; }
event_8() { title='no newline at the end'; fresh; printf 'one\ntwo' >f; edit replace one 1 f
  cell="$(which_text f '1\ntwo' 'stays so' '1\ntwo\n' 'one is added' 'one\ntwo' "$status, unchanged")"; }
event_9() { title='a symbolic link'; fresh; ln -s f link; edit replace one 1 link
  if [[ ! -L link ]]; then cell='becomes a file'; elif grep -q '^1$' f; then cell='is followed'; else cell="$status, unchanged"; fi; }
event_10() { title='a file with two names'; fresh; ln f g; edit replace one 1 f
  if [[ f -ef g ]]; then cell='stays one file'; else cell='becomes two files'; fi; }
event_11() { title='back to the text before two runs'; fresh; edit revert f
  cell="$(which_text f 'one\ntwo\nthree\n' 'yes' 'no')"; }

# MARK: - The table

declare -A names=(
  [ued]='`ued --atomic -i`' [sed]='`sed -i`' [perl]='`perl -pi`' [patch]='`patch`' [vim]='`vim -es`'
  [ansible]='Ansible `lineinfile`')
editors=(ued) peers=(sed perl patch vim ansible)
(($# > 2)) && peers=("${@:3}")
for editor in "${peers[@]}"; do command -v $editor >/dev/null && editors+=("$editor"); done

header='| |' rule='| --- |'
for editor in "${editors[@]}"; do header+=" ${names[$editor]} |"; rule+=' --- |'; done
printf '%s\n%s\n' "$header" "$rule"
for event in {1..11}; do
  ((event == 6 && kills == 0)) && continue
  row=
  for editor in "${editors[@]}"; do "event_$event"; row+=" $cell |"; done
  echo "| $title |$row"
done
echo
"$ued" --version | head -n 1
for editor in "${editors[@]:1}"; do
  case $editor in perl) perl -e 'print "perl $^V\n"' ;; *) $editor --version 2>/dev/null | head -n 1 ;; esac
done
