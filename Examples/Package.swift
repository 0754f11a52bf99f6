// swift-tools-version: 6.2
import PackageDescription

let textBuffer: Target.Dependency = .product(name: "TextBuffer", package: "ued")
let models: Target.Dependency = .product(name: "TextBufferModels", package: "ued")

let package = Package(
  name: "Examples",
  platforms: [.macOS(.v15), .iOS(.v18)],
  dependencies: [.package(name: "ued", path: "..")],
  targets: [
    .executableTarget(name: "enforce"),
    .executableTarget(name: "tasks", dependencies: [textBuffer]),
    .target(name: "EditorKit", dependencies: [textBuffer, models]),
    .executableTarget(name: "language-server", dependencies: ["EditorKit", textBuffer, models]),
    .testTarget(name: "ArticleTests"),
    .testTarget(name: "EnforceTests", dependencies: ["enforce"]),
    .testTarget(name: "TasksTests", dependencies: ["tasks", textBuffer]),
    .testTarget(
      name: "EditorKitTests",
      dependencies: [
        "EditorKit", textBuffer, models, .product(name: "TextBufferTesting", package: "ued"),
      ]),
    .testTarget(
      name: "LanguageServerTests",
      dependencies: ["language-server", textBuffer]),
  ],
  swiftLanguageModes: [.v6]
)
