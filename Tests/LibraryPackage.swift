// swift-tools-version: 6.2
import PackageDescription

// The library and its tests alone, as `make sanitize-library` builds them.

let strict: [SwiftSetting] = [.strictMemorySafety(), .treatAllWarnings(as: .error)]

let package = Package(
  name: "ued", platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  targets: [
    .target(name: "TextBuffer", exclude: ["CHANGELOG.md"], swiftSettings: strict),
    .target(name: "TextBufferModels", dependencies: ["TextBuffer"], swiftSettings: strict),
    .target(name: "TextLines", dependencies: ["TextBuffer"], swiftSettings: strict),
    .target(name: "TextBufferTesting", dependencies: ["TextBuffer"], swiftSettings: strict),
    .testTarget(
      name: "TextBufferTests",
      dependencies: ["TextBuffer", "TextBufferModels", "TextBufferTesting", "TextLines"],
      exclude: ["Fixtures"]),
  ], swiftLanguageModes: [.v6])
