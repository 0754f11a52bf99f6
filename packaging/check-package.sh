#!/bin/bash
# Installs a Debian package of ued in a bare Debian 12, uses it, plays the commands of its README.Debian, removes and
# purges it, and fails if anything stays that README.Debian does not name. Needs root, and a mirror of Debian.
#
#     check-package.sh PACKAGE.deb
set -euo pipefail
mirror=${MIRROR:-http://deb.debian.org/debian}
package=$(realpath -- "$1")
cd "$(dirname "$0")/.."
if ((EUID)); then exec sudo MIRROR="$mirror" packaging/check-package.sh "$package"; fi

bare=$PWD/.build/bare
place=$(mktemp -d)
trap 'echo "check-package.sh: line $LINENO failed" >&2' ERR
trap 'rm -rf --one-file-system "$bare" "$place"' EXIT
rm -rf --one-file-system "$bare"
echo "making a bare Debian 12 in .build/bare, which is removed at the end"
debootstrap --variant=minbase bookworm "$bare" "$mirror" >"$place/log" || { tail "$place/log"; exit 1; }

# Runs a script as a user of the bare system. Its /proc and its terminals are gone with its last process.
inside() { # USER SCRIPT
  unshare --mount --pid --fork --mount-proc="$bare/proc" \
    sh -euc 'mount --bind /dev/pts "$1/dev/pts"; user=$2 bare=$1; shift 2; exec chroot --userspec="$user" "$bare" "$@"' \
    sh "$bare" "$1" env -i HOME=/home/user LC_ALL=C.UTF-8 TERM=dumb DEBIAN_FRONTEND=noninteractive \
    PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin sh -euc "cd; $2"
}

# Every file with its type, mode, owner, link and content, but for the logs and caches of apt and dpkg.
list() {
  (cd "$bare" && find . -xdev \( -path ./proc -o -path ./var/log -o -path ./var/cache -o -path ./var/lib/apt \
    -o -path './var/lib/dpkg/*-old' -o -path ./var/lib/dpkg/status \) -prune -o \
    -printf '%p %y %m %u:%g %l ' \( -type f -exec sha256sum {} \; -o -printf '\n' \) | LC_ALL=C sort)
}

# Fails if the bare system differs from what it was by more than the named files.
stays() { # PATTERN
  list >"$place/after"
  local changed
  changed=$(diff "$place/before" "$place/after" | grep '^[<>]' | grep -vxE "> ($1) .*" || true)
  if [[ $changed ]]; then
    printf '%s\n' 'these files are not as they were before the installation:' "$changed" >&2
    exit 1
  fi
}

chroot "$bare" useradd --create-home --shell /bin/sh user
list >"$place/before"

echo "installing ${package##*/} there"
cp -- "$package" "$bare/ued.deb"
inside 0:0 'apt-get -qq install -y /ued.deb >/tmp/log 2>&1 || { cat /tmp/log; exit 1; }; rm /tmp/log
  dpkg -L ued | while read -r file; do test -e "$file"; done; dpkg --verify ued'
rm "$bare/ued.deb"

echo "using it"
version=$(dpkg-deb -f "$package" Version)
inside user:user "ued -V | grep -q '^ued $version\b'; editor -V | grep -q '^ued '"
inside user:user 'printf "one\ntwo\nthree\n" >list; printf "%s\n" 2s/two/TWO/ w q | ued --history -s list; grep -qx TWO list'
inside user:user 'printf "%s\n" undo w q | ued --history -s list; printf "one\ntwo\nthree\n" | cmp - list'
inside user:user 'printf "%s\n" 3d wq | script -qec "ued list" /dev/null >said; grep -q "line 3 deleted" said; rm said
  printf "one\ntwo\n" | cmp - list'
inside user:user 'for page in man1/ued.1 man1/editor.1 man5/ued-json.5; do
    zcat "/usr/share/man/$page.gz" | grep -q "^\.Sh NAME"
  done
  for file in zsh/vendor-completions/_ued fish/vendor_completions.d/ued.fish; do test -s "/usr/share/$file"; done
  bash -c ". /usr/share/bash-completion/completions/ued; complete -p ued" >/dev/null'

echo "playing the commands of README.Debian"
# Those of the last section are for after the removal.
heading='Removing the package'
readme=$bare/usr/share/doc/ued/README.Debian
commands=$(sed "/^$heading/,\$d" "$readme" | sed -n 's/^    //p')
last=$(sed "1,/^$heading/d" "$readme" | sed -n 's/^    //p')
[[ $commands == *update-alternatives* && $last == rm* ]]
inside 0:0 "set -x; $commands" >"$place/log" 2>&1 || { cat "$place/log"; exit 1; }

# The choice of the administrator outlives an upgrade.
cp -- "$package" "$bare/ued.deb"
inside 0:0 'dpkg -i /ued.deb >/dev/null; update-alternatives --query editor | grep -qx "Status: manual"'
rm "$bare/ued.deb"

echo "removing it"
own='\./home/user/(list|\.local(/state(/ued(/.*)?)?)?)'
inside 0:0 'apt-get -qq remove -y ued >/dev/null 2>&1; if dpkg -s ued >/dev/null 2>&1; then exit 1; fi'
stays "$own"
inside 0:0 'dpkg --purge ued 2>/dev/null'
stays "$own"
[[ -e $bare/home/user/.local/state/ued/index.db ]]
inside user:user "$last; rm list; rmdir -p .local/state"
stays 'nothing'
echo "only histories stayed, as README.Debian says"
