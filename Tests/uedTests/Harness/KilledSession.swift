import Differential
import Glibc
import Testing

/// A session killed at a random moment while text is entered.
struct KilledSession {
  /// The text with all lines after which ued showed another prompt.
  private(set) var lines: [String]
  /// The same, and a line that was ended just before the kill, if any.
  private(set) var linesAtMost: [String]
  private let session: TerminalSession
  private let hasKeys: Bool
  private var current: Int
  private var isModified = false
  private var count = 0

  /// Opens a text, enters more of it by some commands, and kills the program.
  ///
  /// - Parameters:
  ///   - arguments: The arguments of the program.
  ///   - lines: The lines of the text.
  ///   - folder: The folder of the file.
  ///   - random: The seed of the entered lines.
  init(
    _ arguments: [String], _ lines: [String], in folder: TemporaryFolder,
    _ random: inout SeededGenerator
  ) {
    (self.lines, linesAtMost, current) = (lines, lines, lines.count)
    hasKeys = random.below(2) == 0
    session = TerminalSession(
      arguments, environment: ["TERM": hasKeys ? "xterm" : "dumb", "UED_HISTORY": "on"], in: folder)
    for isLast in (0..<random.below(3)).map({ _ in false }) + [true] {
      enterText(isLast: isLast, &random)
    }
    session.killSoon(&random)
  }

  /// Enters a text command, and unless it is the last one, ends it.
  private mutating func enterText(isLast: Bool, _ random: inout SeededGenerator) {
    let start = lines
    let first = start.isEmpty ? 0 : 1 + random.below(start.count)
    let last = start.isEmpty ? 0 : first + random.below(start.count - first + 1)
    let command = Array("aic")[start.isEmpty ? 0 : Int(random.below(3))]
    let isEdit = hasKeys && !start.isEmpty && random.below(4) == 0
    let prompt = "\(current)\(isModified ? "*" : ""): "
    let range = "\(first),\(last)"
    let number = "\(first)"
    session.at(
      prompt, type: isEdit ? "\(range)edit\r" : "\(command == "c" ? range : number)\(command)\r")
    /// The index of the new lines, and how many they replace: singly, or all with the first.
    let place = command == "a" && !isEdit ? first : first - 1
    let replaced = isEdit || command == "c" ? last - place : 0
    var entered: [String] = []
    func text() -> [String] {
      if entered.isEmpty { return start }
      return start[..<place] + entered + start[(place + (isEdit ? entered.count : replaced))...]
    }
    let most = isEdit ? replaced - (isLast ? 1 : 0) : isLast ? random.below(6) : 1 + random.below(4)
    while true {
      if isEdit && entered.count == replaced { break }
      session.sees("\(place + entered.count + 1)> ")
      lines = text()
      linesAtMost = lines
      if !isLast && entered.count == most || isLast && entered.count > most { break }
      count += 1
      let typed = "line \(count) " + String(repeating: "é x", count: Int(random.below(20)))
      if isLast && (entered.count == most || random.below(6) == 0) && random.below(3) == 0 {
        session.type(String(typed.prefix(Int(random.below(typed.count)))))
        return
      }
      session.type(typed + "\r")
      entered.append(isEdit ? start[place + entered.count] + typed : typed)
      linesAtMost = text()
      if isLast && entered.count > most { return }
    }
    if !isEdit { session.type(".\r") }
    lines = text()
    current = place + entered.count
    isModified = true
  }
}
