// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
]

/// Debian's static archives: fewer libraries to find and relocate at every start, and none that has to
/// be there at run time.
let archives: [LinkerSetting] = [
  .linkedLibrary(":libedit.a"), .linkedLibrary(":libtinfo.a"), .linkedLibrary(":libbsd.a"),
  .linkedLibrary(":libmd.a"), .linkedLibrary(":libsqlite3.a"), .linkedLibrary(":libz.a"),
]

let package = Package(
  name: "ued",
  products: [
    .executable(name: "ued", targets: ["ued"]),
    .library(name: "TextBuffer", targets: ["TextBuffer"]),
  ],
  targets: [
    .systemLibrary(name: "CEdit", providers: [.apt(["libedit-dev"])]),
    .target(name: "CLinux"),
    .systemLibrary(name: "CMD", providers: [.apt(["libmd-dev"])]),
    .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CXXHash", providers: [.apt(["libxxhash-dev"])]),
    .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
    .target(name: "TextBuffer", swiftSettings: strict),
    .executableTarget(
      name: "ued",
      dependencies: ["CEdit", "CLinux", "CMD", "CSQLite", "CXXHash", "CZlib", "TextBuffer"],
      swiftSettings: strict, linkerSettings: archives),
    .testTarget(name: "TextBufferTests", dependencies: ["TextBuffer"], exclude: ["Fixtures"]),
    .target(name: "CSpawn", path: "Tests/CSpawn"),
    .target(
      name: "Differential", dependencies: ["CSpawn"], path: "Tests/Differential",
      swiftSettings: [.treatAllWarnings(as: .error)]),
    .executableTarget(
      name: "ued-fuzz", dependencies: ["Differential"], path: "Tests/Fuzz",
      swiftSettings: [.treatAllWarnings(as: .error)]),
    .testTarget(
      name: "uedTests", dependencies: ["ued", "TextBuffer", "Differential"],
      exclude: ["Harness/screen.py", "Transcripts"]),
  ],
  swiftLanguageModes: [.v6]
)
