// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Benchmarks",
  dependencies: [.package(name: "ued", path: "..")],
  targets: [
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        .product(name: "TextBuffer", package: "ued"),
        .product(name: "TextBufferModels", package: "ued"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
