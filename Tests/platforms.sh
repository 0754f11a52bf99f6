#!/bin/bash
# Compiles the library for the oldest macOS that Package.swift names, without a Mac: against the
# toolchain's own interfaces of the standard library, which say since when each part exists. Nothing
# is linked or run. The functions of the C library that it needs are declared here.
set -euo pipefail
cd "$(dirname "$0")/.."
version=$(sed -n 's/.*\.macOS(\.v\([0-9]*\)).*/\1/p' Package.swift)
target=arm64-apple-macosx$version.0
toolchain=$(dirname "$(dirname "$(readlink -f "$(command -v swiftc)")")")/lib/swift
work=.build/platforms
rm -rf "$work"
mkdir -p "$work"/{modules,sdk,library}
for part in shims clang apinotes; do ln -s "$toolchain/$part" "$work/library/$part"; done
for module in Swift SwiftOnoneSupport Synchronization _Concurrency _StringProcessing; do
  folder=$work/library/macosx/$module.swiftmodule
  mkdir -p "$folder"
  # Parts of the interfaces that are only for Linux, or incomplete there, do not matter here.
  sed -e "/swift-module-flags:/s/-target [^ ]*/-target $target/" -e 's/@backDeployed(before: [^)]*)//' \
    -e 's/_stdlib_\(remainder\|squareRoot\)l(.*)/0/' -e '/^import Glibc/d' \
    -e 's/_swift_stdlib_gettid()/UInt32(0)/' \
    "$toolchain/linux/$module.swiftmodule/x86_64-unknown-linux-gnu.swiftinterface" \
    >"$folder/arm64-apple-macos.swiftinterface"
  # Only the library is checked, and the standard library itself is as its interface says.
  test "$module" = Swift ||
    sed -i '/swift-module-flags:/s/-target/-disable-availability-checking -target/' "$folder"/*
done
compile() {
  local module=$1
  shift
  swiftc -frontend -emit-module -o "$work/modules/$module.swiftmodule" -module-name "$module" \
    -target "$target" -disable-objc-interop -resource-dir "$work/library" -sdk "$work/sdk" \
    -module-cache-path "$work/cache" -I "$work/modules" -parse-as-library -swift-version 6 \
    -package-name ued "$@"
}
cat >"$work/Darwin.swift" <<'END'
public func memchr(_: UnsafeRawPointer!, _: Int32, _: Int) -> UnsafeMutableRawPointer! { nil }
END
compile Darwin "$work/Darwin.swift"
for module in TextBuffer TextLines TextBufferModels TextBufferTesting; do
  compile "$module" $(find "Sources/$module" -name '*.swift')
  echo "$module compiles for macOS $version"
done
