// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
]

let package = Package(
  name: "ued",
  products: [
    .executable(name: "ued", targets: ["ued"]),
    .library(name: "TextBuffer", targets: ["TextBuffer"]),
  ],
  targets: [
    .systemLibrary(name: "CEdit", pkgConfig: "libedit", providers: [.apt(["libedit-dev"])]),
    .target(name: "TextBuffer", swiftSettings: strict),
    .executableTarget(name: "ued", dependencies: ["CEdit", "TextBuffer"], swiftSettings: strict),
    .testTarget(name: "TextBufferTests", dependencies: ["TextBuffer"], exclude: ["Fixtures"]),
    .testTarget(
      name: "uedTests", dependencies: ["ued", "TextBuffer"], exclude: ["Transcripts"]),
  ],
  swiftLanguageModes: [.v6]
)
