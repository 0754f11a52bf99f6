// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Examples",
  dependencies: [.package(name: "ued", path: "..")],
  targets: [
    .executableTarget(name: "enforce"),
    .executableTarget(
      name: "tasks", dependencies: [.product(name: "TextBuffer", package: "ued")]),
    .testTarget(name: "EnforceTests", dependencies: ["enforce"]),
    .testTarget(
      name: "TasksTests", dependencies: ["tasks", .product(name: "TextBuffer", package: "ued")]),
  ],
  swiftLanguageModes: [.v6]
)
