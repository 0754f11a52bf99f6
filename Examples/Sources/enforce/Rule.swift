/// What is to hold for every file: a line of the file of rules, with the lines that belong to it.
struct Rule: Equatable {
  enum Demand: Equatable {
    /// The line is there once. If it is missing, it comes after the last line that matches.
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
  var script: String {
    let commands =
      switch demand {
      case .line(let line, let after):
        "ensure /^\(pattern(line))$/ after \(after)\(text([line]))"
      case .setting(let line): "ensure /\(start(line))/\(text([line]))"
      case .block(let lines, let name):
        "ensure /^# BEGIN \(pattern(name))$/,/^# END \(pattern(name))$/"
          + text(["# BEGIN \(name)"] + lines + ["# END \(name)"])
      case .absence(let expression): "g\(expression)d\n"
      }
    return "begin \(title)\n\(commands)end\n"
  }

  /// A here-document.
  private func text(_ lines: [String]) -> String {
    var word = "END"
    while lines.contains(word) { word += "_" }
    return " <<\(word)\n" + lines.map { $0 + "\n" }.joined() + word + "\n"
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
