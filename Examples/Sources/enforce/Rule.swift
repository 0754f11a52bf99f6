/// What is to hold for every file: a line of the file of rules, with the lines that belong to it.
struct Rule: Equatable {
  enum Demand: Equatable {
    /// The line is there once, right after the first line that matches.
    case line(String, after: String)
    /// The only line that begins as this one, up to its first blank or `=`, is this one.
    case setting(String)
    /// The lines are between the lines `# BEGIN NAME` and `# END NAME`.
    case block([String], name: String)
    /// No line matches.
    case absence(of: String)
  }

  /// The line in the file of rules, which also names the group of changes in the history.
  let title: String
  let demand: Demand

  /// A fault in a file of rules.
  struct Fault: Error {
    let line: Int
    let message: String
  }

  /// Reads a file of rules.
  static func rules(_ text: String) throws(Fault) -> [Rule] {
    let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }.map(String.init)
    var rules: [Rule] = []
    var index = 0
    while index < lines.count {
      let title = lines[index]
      index += 1
      if title.isEmpty || title.hasPrefix("#") { continue }
      let demand: Demand
      if let match = title.wholeMatch(of: #/after (\/(?:[^\/\\]|\\.)+\/) (.+)/#) {
        demand = .line(String(match.2), after: String(match.1))
      } else if let match = title.wholeMatch(of: #/set ([^ =]+[ =].+)/#) {
        demand = .setting(String(match.1))
      } else if let match = title.wholeMatch(of: #/absent (\/(?:[^\/\\]|\\.)+\/)/#) {
        demand = .absence(of: String(match.1))
      } else if let match = title.wholeMatch(of: #/block (.+)/#) {
        guard let end = lines[index...].firstIndex(of: "end") else {
          throw Fault(line: index, message: "the block has no line 'end'")
        }
        demand = .block(Array(lines[index..<end]), name: String(match.1))
        index = end + 1
      } else {
        throw Fault(line: index, message: "not a rule: \(title)")
      }
      rules.append(Rule(title: title, demand: demand))
    }
    return rules
  }

  /// Commands of ued that make the rule hold, as one group; a group without effect is not recorded.
  ///
  /// A last line guards it, so that every command has a line to look at even in an empty file.
  var script: String {
    let commands =
      switch demand {
      case .line(let line, let after):
        begin(with: []) + "g/^\(pattern(line))$/d\n$\n\(after)\(insert("a", [line]))"
      case .setting(let line):
        begin(with: [line]) + "/\(start(line))/\(insert("c", [line])).+1,$g/\(start(line))/d\n"
      case .block(let lines, let name): replacement(ofBlock: name, with: lines)
      case .absence(let expression): begin(with: []) + "g\(expression)d\n"
      }
    return "begin \(title)\n\(commands)\(append([]))g/^\(Self.guardLine)$/d\nend\n"
  }

  /// A line that is in none of the files; otherwise the script fails.
  private static let guardLine = "\u{1}"

  /// Appends lines, of which the rest of the script removes all but the first, and the guard.
  private func begin(with lines: [String]) -> String {
    append(lines) + "expect 1 /^\(Self.guardLine)$/\n"
  }

  private func append(_ lines: [String]) -> String { insert("$a", lines + [Self.guardLine]) }

  /// A command with a here-document.
  private func insert(_ command: String, _ lines: [String]) -> String {
    var word = "END"
    while lines.contains(word) { word += "_" }
    return "\(command) <<\(word)\n" + lines.map { $0 + "\n" }.joined() + word + "\n"
  }

  /// Commands that replace the first block of a name, and remove all others.
  private func replacement(ofBlock name: String, with lines: [String]) -> String {
    let block = ["# BEGIN \(name)"] + lines + ["# END \(name)"]
    let (start, end) = ("/^# BEGIN \(pattern(name))$/", "/^# END \(pattern(name))$/")
    // A block without an end would reach up to the end of the one that is appended.
    return begin(with: block) + "\(start);\(end)expect 1 \(start)\n$\n"
      + "\(start);\(end)\(insert("c", block)).+1,$g\(start).,\(end)d\n"
  }

  /// A regular expression that matches the lines for the same setting as a line.
  private func start(_ line: String) -> String {
    let key = line.prefix { $0 != " " && $0 != "=" }
    let separator = line.contains(#/^[^ =]+ *=/#) ? "[[:blank:]]*=" : "[[:blank:]]"
    return "^\(pattern(String(key)))\(separator)"
  }

  /// A regular expression that matches a text.
  private func pattern(_ text: String) -> String {
    text.replacing(#/[\\\/.*\[\]^$]/#) { "\\" + $0.output }
  }
}
