/// The output of `help`. Each subject fits a screen of 24 lines and 80 columns, with the prompt below.
enum HelpText {
  /// The lines about a subject.
  static func lines(_ subject: HelpSubject) -> [String] {
    switch subject {
    case .overview: overview
    case .topic(let topic): lines(of: topic)
    case .command(let row): details(of: row)
    }
  }

  /// The groups of commands, with a word or two about each command.
  static var overview: [String] {
    var lines: [String] = []
    for topic in HelpTopic.allCases where !topic.commands.isEmpty {
      var line = padded(topic.rawValue, topicWidth)
      for (name, gloss) in topic.commands {
        let entry = gloss.isEmpty ? name : "\(name) \(gloss)"
        if line.count + entry.count > lineWidth {
          lines.append(trimmed(line))
          line = padded("", topicWidth)
        }
        line += entry + "   "
      }
      lines.append(trimmed(line))
    }
    let others = HelpTopic.allCases.filter { $0.commands.isEmpty }.map { "'help \($0.rawValue)'" }
    return lines + [
      "",
      "Lines come before a command: 3p  2,5d  $a  /RE/s/a/b/  ,n (all lines).",
      "After most commands p, l or n prints the current line.",
      "'help WORD' explains a command or lists a group; see also \(others[0]),",
      others.dropFirst().joined(separator: ", ") + ".",
    ]
  }

  /// A line for each command of a group, or the text of another topic.
  private static func lines(of topic: HelpTopic) -> [String] {
    switch topic {
    case .editing, .showing, .lines, .files, .changes, .other:
      let rows = topic.rows
      let width = rows.map(\.synopsis.count).max() ?? 0
      return rows.map { padded($0.synopsis, width + 2) + $0.summary }
    case .addresses: return split(HelpTopicText.addresses)
    case .regex: return split(HelpTopicText.regex)
    case .keys: return split(HelpTopicText.keys)
    case .settings: return split(HelpTopicText.settings)
    }
  }

  /// The summary and the details of one command.
  private static func details(of row: CommandRow) -> [String] {
    ["\(row.synopsis)  \(row.summary)"]
      + row.details.split(separator: "\n").map { "  " + $0 }
  }

  private static let topicWidth = 10
  private static let lineWidth = 79

  private static func split(_ text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  private static func trimmed(_ line: String) -> String {
    String(line.reversed().drop { $0 == " " }.reversed())
  }
}
