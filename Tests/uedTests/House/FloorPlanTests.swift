import Differential
import Testing

/// The plan of the house in CONTRIBUTING.md is true.
@Suite struct FloorPlanTests {
  private static let plans = FloorPlan.plans(
    in: String(decoding: Disk.read(packageFolder + "/CONTRIBUTING.md") ?? [], as: UTF8.self))

  @Test func `there is a plan of the libraries and of the program`() {
    let targets = ["Sources/TextBuffer", "Sources/TextLines", "Sources/ued"]
    #expect(Self.plans.map(\.target) == targets)
    #expect(zip(Self.plans, [5, 2, 6]).allSatisfy { $0.floors.count >= $1 })
  }

  @Test(arguments: plans.indices)
  func `a folder mentions only types of its own and of folders above it`(_ index: Int) {
    let plan = Self.plans[index]
    #expect(plan.forbiddenMentions(in: plan.files()) == [])
  }

  @Test(arguments: plans.indices)
  func `every folder is in the plan, and no file has more than 900 lines`(_ index: Int) {
    let plan = Self.plans[index]
    let files = plan.files()
    #expect(Set(files.map(\.folder)) == Set(plan.floors))
    for file in files {
      let count = file.text.utf8.count { $0 == UInt8(ascii: "\n") }
      #expect(count <= 900, "\(file.folder)/\(file.name)")
    }
  }

  @Test func `the non-private members of a type are in its own file`() {
    let plan = Self.plans[2]
    #expect(plan.foreignExtensions(in: plan.files()) == [])
  }

  @Test func `an extension in a foreign file is found`() {
    let code = "extension Cellar {\n  0 func f() {}\n}\n"
    for (word, name, count) in [
      ("mutating", "U", 1), ("fileprivate", "U", 0), ("static", "Cellar+U", 0),
    ] {
      var files = Self.files(code.replacing("0", with: word))
      files[0].name = name + ".swift"
      #expect(Self.house.foreignExtensions(in: files).count == count)
    }
  }

  private static let house = FloorPlan(target: "", floors: ["Upper", "Lower"])
  private static func files(_ upper: String) -> [FloorPlan.File] {
    [
      FloorPlan.File(folder: "Upper", name: "U.swift", text: upper),
      FloorPlan.File(
        folder: "Lower", name: "L.swift",
        text:
          "/// Own.\npublic final class Cellar {\n  struct Nested {}\n}\nprivate enum Hidden {}\n"),
    ]
  }

  @Test(arguments: [
    "var cellar: Cellar?", "func f() -> [Cellar] { [] }", "extension Cellar {}",
    "let text = \"in the \\(Cellar.name) below\"", "let text = \"\"\"\n  \\(f(Cellar()))\n  \"\"\"",
  ])
  func `a mention of a lower floor is found`(_ upper: String) {
    #expect(
      Self.house.forbiddenMentions(in: Self.files(upper)) == [
        "Upper/U.swift mentions Cellar of Lower/L.swift"
      ])
  }

  @Test(arguments: [
    "// A Cellar.", "/// See `Cellar`.", "let text = \"Cellar\"", "struct Cellar {}",
    "let text = \"\"\"\n  Cellar \\(f(\"Cellar\")) Cellar\n  \"\"\"", "let cellar = CellarDoor()",
    "struct Nested {}", "enum Hidden {}",
  ])
  func `comments, texts, other names and own types do not count as mentions`(_ upper: String) {
    #expect(Self.house.forbiddenMentions(in: Self.files(upper)) == [])
  }
}
