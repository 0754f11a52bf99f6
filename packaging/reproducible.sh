#!/bin/bash
# Builds the source tarball, the program, its manuals and the Debian package twice, and fails unless all their
# bytes are the same. The builds differ in folder, home, umask, locale, time zone and time of day.
set -euo pipefail
cd "$(dirname "$0")/.."
place=$PWD/.build/reproducible
rm -rf "$place"
# Both builds have this commit, also if another one is made meanwhile.
commit=$(git rev-parse HEAD)

build() { # FOLDER UMASK LOCALE ZONE
  local folder=$place/$1
  mkdir -p "$folder/home" "$folder/made"
  (
    umask "$2"
    export HOME=$folder/home LC_ALL=$3 TZ=$4
    make dist REVISION="$commit" >/dev/null
    cp .build/ued-*.tar.gz "$folder/made"
    tar -xzf "$folder"/made/ued-*.tar.gz -C "$folder"
    cd "$folder"/ued-*/
    make deb
    cp .build/ued_*.deb .build/deb/usr/bin/ued .build/deb/usr/share/man/man?/*.gz "$folder/made"
  )
}

build one 022 C UTC
build elsewhere/and-deeper 077 C.UTF-8 Asia/Tokyo
(cd "$place/one/made" && sha256sum -- *) >"$place/hashes"
cat "$place/hashes"
(cd "$place/elsewhere/and-deeper/made" && sha256sum --quiet -c "$place/hashes")
"$place/one/made/ued" --version | head -n 1
echo "both builds have the same bytes"
