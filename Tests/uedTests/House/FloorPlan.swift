import Differential

/// The plan of the house: the folders of a target in order. Each may mention only types of its own
/// and of the folders above it.
struct FloorPlan {
  /// A source file in a folder.
  struct File {
    var folder: String
    var name: String
    var text: String
  }

  /// The folder of the target, below the package.
  let target: String
  /// The floors, from the top.
  let floors: [String]

  /// The plans in the text of CONTRIBUTING.md: a line `Sources/TARGET` that is indented by four, then a
  /// line for each floor, indented by six.
  static func plans(in text: String) -> [FloorPlan] {
    var plans: [(target: String, floors: [String])] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let indent = line.prefix { $0 == " " }.count
      let name = String(line.dropFirst(indent).prefix { $0 != " " })
      if indent == 4 && name.hasPrefix("Sources/") {
        plans.append((name, []))
      } else if indent == 6 && !plans.isEmpty {
        plans[plans.count - 1].floors.append(name)
      }
    }
    return plans.map { FloorPlan(target: $0.target, floors: $0.floors) }
  }

  // MARK: - Checking

  /// The mentions that go against the plan, as lines of text.
  func forbiddenMentions(in files: [File]) -> [String] {
    var declared: [String: [(name: String, file: String)]] = [:]
    for file in files {
      for name in Self.declaredTypes(in: Self.code(of: file.text)) {
        declared[file.folder, default: []].append((name, file.name))
      }
    }
    var found: [String] = []
    for (index, floor) in floors.enumerated() {
      let below = floors[(index + 1)...]
      for file in files where file.folder == floor {
        let words = Set(Self.words(of: Self.code(of: file.text)))
        let own = Set((declared[floor] ?? []).map(\.name))
        for other in below {
          for (name, place) in declared[other] ?? []
          where words.contains(name[...]) && !own.contains(name) {
            found.append("\(floor)/\(file.name) mentions \(name) of \(other)/\(place)")
          }
        }
      }
    }
    return found
  }

  /// Misplaced extensions, as lines of text. All non-private members of a type belong in the file
  /// that declares it, or in a file called `Type+Subject`.
  func foreignExtensions(in files: [File]) -> [String] {
    var places: [String: String] = [:]
    for file in files {
      for name in Self.declaredTypes(in: Self.code(of: file.text)) { places[name] = file.name }
    }
    return files.flatMap { file -> [String] in
      let code = Self.code(of: file.text)
      return code.split(separator: "\n", omittingEmptySubsequences: false).split { $0 == "}" }
        .compactMap { lines in
          guard let start = lines.firstIndex(where: { $0.hasPrefix("extension ") }) else {
            return nil
          }
          let name = String(Self.words(of: String(lines[start]))[1])
          guard let place = places[name], place != file.name, !file.name.hasPrefix(name + "+"),
            lines[(start + 1)...].contains(where: Self.isVisibleMember)
          else { return nil }
          return "\(file.folder)/\(file.name) extends \(name) of \(place)"
        }
    }
  }

  /// Whether a line of an extension declares a member that all files can see.
  private static func isVisibleMember(_ line: Substring) -> Bool {
    guard line.hasPrefix("  "), !line.hasPrefix("   ") else { return false }
    let kinds: Set<Substring> = [
      "func", "var", "let", "init", "subscript", "case", "struct", "enum", "class", "typealias",
    ]
    let words = words(of: String(line))
    return !words.isEmpty && words.contains { kinds.contains($0) }
      && words[0] != "private" && words[0] != "fileprivate"
  }

  /// The names of the types that are declared at the left margin, where all files can see them.
  private static func declaredTypes(in code: String) -> [String] {
    let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "actor", "typealias"]
    return code.split(separator: "\n").compactMap { line in
      guard let first = line.first, first != " ", first != "}", !line.hasPrefix("private"),
        !line.hasPrefix("fileprivate")
      else {
        return nil
      }
      let words = Self.words(of: String(line))
      guard let kind = words.firstIndex(where: { kinds.contains($0) }), kind + 1 < words.count
      else { return nil }
      return String(words[kind + 1])
    }
  }

  private static func words(of code: String) -> [Substring] {
    code.split { !($0.isLetter || $0.isNumber || $0 == "_") }
  }

  /// Swift source without comments and without the text of string literals; interpolated code stays.
  static func code(of source: String) -> String {
    var code: [UInt8] = []
    let bytes = Array(source.utf8)
    var position = 0
    /// The quote of each open literal, and its open parentheses in an interpolation; -1 outside
    /// one.
    var literals: [(quote: [UInt8], depth: Int)] = []
    func starts(_ text: String) -> Bool { bytes[position...].starts(with: text.utf8) }
    while position < bytes.count {
      if let literal = literals.last, literal.depth < 0 {
        if bytes[position...].starts(with: literal.quote) {
          literals.removeLast()
          position += literal.quote.count
        } else if starts("\\(") {
          literals[literals.count - 1].depth = 0
          position += 2
        } else {
          if bytes[position] == UInt8(ascii: "\n") { code.append(bytes[position]) }
          position += starts("\\") ? 2 : 1
        }
      } else if starts("//") {
        while position < bytes.count && bytes[position] != UInt8(ascii: "\n") { position += 1 }
      } else if starts("\"") {
        let quote = starts("\"\"\"") ? "\"\"\"" : "\""
        literals.append((Array(quote.utf8), -1))
        code.append(UInt8(ascii: " "))
        position += quote.utf8.count
      } else {
        if !literals.isEmpty {
          if starts("(") { literals[literals.count - 1].depth += 1 }
          if starts(")") { literals[literals.count - 1].depth -= 1 }
        }
        code.append(bytes[position])
        position += 1
      }
    }
    return String(decoding: code, as: UTF8.self)
  }

  // MARK: - The sources

  /// The Swift files of the target.
  func files() -> [File] {
    let root = packageFolder + "/" + target
    return Disk.names(in: root).sorted().flatMap { folder in
      Disk.names(in: root + "/" + folder).sorted().filter { $0.hasSuffix(".swift") }.map { name in
        let bytes = Disk.read("\(root)/\(folder)/\(name)") ?? []
        return File(folder: folder, name: name, text: String(decoding: bytes, as: UTF8.self))
      }
    }
  }
}
