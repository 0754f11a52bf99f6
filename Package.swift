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

/// What `--version` shows of the commit: `make build` has it in the environment.
let commit: [CSetting] =
  Context.environment["UED_COMMIT"].map { [.define("UED_COMMIT", to: "\"\($0)\"")] } ?? []

let package = Package(
  name: "ued",
  // The first versions with `Mutex` and `Atomic` in the standard library; `make platforms` checks them.
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .executable(name: "ued", targets: ["ued"]),
    .library(name: "TextBuffer", targets: ["TextBuffer"]),
    .library(name: "TextBufferModels", targets: ["TextBufferModels"]),
    .library(name: "TextLines", targets: ["TextLines"]),
    .library(name: "TextBufferTesting", targets: ["TextBufferTesting"]),
    // For the tests, which preload it; nothing links it.
    .library(name: "UedDisk", type: .dynamic, targets: ["CDisk"]),
  ],
  // A package graph has one target of a name: what C offers is named after ued, so that no other package has it.
  targets: [
    .systemLibrary(name: "UedEdit", path: "Sources/CEdit", providers: [.apt(["libedit-dev"])]),
    .target(name: "UedLinux", cSettings: commit),
    .systemLibrary(name: "UedMD", providers: [.apt(["libmd-dev"])]),
    .systemLibrary(name: "UedSQLite", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "UedXXHash", providers: [.apt(["libxxhash-dev"])]),
    .systemLibrary(name: "UedZlib", providers: [.apt(["zlib1g-dev"])]),
    .target(name: "TextBuffer", exclude: ["CHANGELOG.md"], swiftSettings: strict),
    .target(name: "TextBufferModels", dependencies: ["TextBuffer"], swiftSettings: strict),
    .target(name: "TextLines", dependencies: ["TextBuffer"], swiftSettings: strict),
    .target(name: "TextBufferTesting", dependencies: ["TextBuffer"], swiftSettings: strict),
    .executableTarget(
      name: "ued",
      dependencies: [
        "UedEdit", "UedLinux", "UedMD", "UedSQLite", "UedXXHash", "UedZlib", "TextBuffer",
        "TextLines",
      ],
      swiftSettings: strict, linkerSettings: archives),
    .testTarget(
      name: "TextBufferTests",
      dependencies: ["TextBuffer", "TextBufferModels", "TextBufferTesting", "TextLines"],
      exclude: ["Fixtures"]),
    .target(name: "CSpawn", path: "Tests/CSpawn"),
    .target(name: "CDisk", path: "Tests/CDisk"),
    .target(
      name: "Differential", dependencies: ["CSpawn", "UedSQLite", "TextBufferTesting"],
      path: "Tests/Differential",
      swiftSettings: [.treatAllWarnings(as: .error)],
      linkerSettings: [
        .linkedLibrary(":libsqlite3.a"), .linkedLibrary(":libz.a"), .linkedLibrary("m"),
      ]),
    .target(
      name: "Crashes", dependencies: ["Differential"], path: "Tests/Crashes",
      swiftSettings: [.treatAllWarnings(as: .error)]),
    .executableTarget(
      name: "ued-fuzz", dependencies: ["Differential"], path: "Tests/Fuzz",
      swiftSettings: [.treatAllWarnings(as: .error)]),
    .target(
      name: "Simulation", dependencies: ["CSpawn", "Crashes", "Differential"],
      path: "Tests/Simulation",
      swiftSettings: [.treatAllWarnings(as: .error)]),
    .executableTarget(
      name: "ued-simulate", dependencies: ["Crashes", "Simulation"], path: "Tests/Simulator",
      swiftSettings: [.treatAllWarnings(as: .error)]),
    .testTarget(
      name: "uedTests",
      dependencies: [
        "ued", "TextBuffer", "TextBufferModels", "TextLines", "Crashes", "Differential",
        "Simulation",
      ],
      exclude: [
        "Harness/screen.py", "HistoryOnDisk/Fixtures", "Strict/editing-tasks.txt", "Transcripts",
      ]),
  ],
  swiftLanguageModes: [.v6]
)
