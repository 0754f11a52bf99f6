/// A case of the table of words: a script with one of ued's own words, and how it is run.
struct WordCase: Sendable {
  /// The place of the failing command.
  enum Mistake: CaseIterable, Sendable { case none, before, after, inGroup }

  /// A change of the file before the word: another program appends a line, or another ued edits
  /// one.
  enum Writer: CaseIterable, Sendable { case none, appends, edits }

  /// An additional option of a strict run.
  enum Mode: CaseIterable, Sendable { case none, inPlace, atomic, json, diff, check, verbose }

  var word: Int
  var source: ScriptSource
  var mistake: Mistake
  var writer: Writer
  var mode: Mode
  var keepsHistory: Bool
  var hasSeveralFiles: Bool

  static let columns = [
    words.count, ScriptSource.allCases.count, Mistake.allCases.count, Writer.allCases.count,
    Mode.allCases.count, 2, 2,
  ]

  init(row: [Int]) {
    word = row[0]
    source = ScriptSource.allCases[row[1]]
    mistake = Mistake.allCases[row[2]]
    writer = Writer.allCases[row[3]]
    mode = Mode.allCases[row[4]]
    keepsHistory = row[5] == 1
    hasSeveralFiles = row[6] == 1
  }

  /// Whether the table has the case. Omits cases that a terminal treats differently: an error in a
  /// group, or a second writer.
  var isRow: Bool {
    if !source.isStrict && (mode != .none || hasSeveralFiles) { return false }
    return !source.isTerminal || mistake != .inGroup && writer == .none
  }

  /// The case with the expected results: input by `-e` or a pipe, one file, no additional option.
  var reference: WordCase {
    var other = self
    other.source = source.isStrict ? .expressions : .pipe
    (other.mode, other.hasSeveralFiles) = (.none, false)
    return other
  }

  // MARK: - The script

  /// The text of each file.
  static let text = "one\ntwo\nthree\nfour\nfive\nsix\n"

  /// The script of an earlier run, if a history is kept.
  static let earlierScript = "1s/$/!/"

  /// The groups that the words refer to: 1, then two branches: group 2, and groups 3 and 4.
  private static let groups = [
    "2s/two/2/", "5d", "undo", "4s/four/IV/", "$a <<END", "seven", "END",
  ]

  /// The words, given the number of the last group before the script.
  private static let words: [@Sendable (Int) -> [String]] = [
    { _ in ["1,3history"] }, { _ in ["1,$history /IV/"] }, { _ in [",blame"] }, { _ in ["7blame"] },
    { _ in ["2undo"] }, { _ in ["1,$undo 2"] }, { _ in ["5undo"] }, { _ in ["2undo 9"] },
    { ["2,4revert \($0)"] }, { _ in ["1,$revert saved"] }, { _ in ["2revert"] },
    { ["5,6revert \($0 + 2)"] }, { ["revert \($0 + 3)"] }, { ["revert \($0 + 2)"] },
    { ["2s/2/II/", "revert \($0 + 1)"] }, { _ in ["revert run"] }, { ["peek \($0 + 2)"] },
    { ["peek \($0) 2,3"] }, { _ in ["peek saved $"] }, { ["peek \($0 + 9)"] },
    { ["peek \($0) 3,9"] }, { ["jump \($0 + 2)", "jump -"] }, { _ in ["jump -"] },
    { _ in ["undo", "jump -"] }, { ["pick \($0 + 2)"] },
    { ["pick \($0 + 2)", "6,$undo", "pick \($0 + 2)"] }, { ["5s/e/E/", "pick \($0 + 2)"] },
    { _ in ["pick 0"] }, { ["pick \($0 + 4)"] }, { ["merge \($0 + 2)"] },
    { ["5s/e/E/", "merge \($0 + 2)"] }, { ["merge \($0 + 9)"] }, { _ in ["merge disk"] },
    { _ in ["6s/$/ and/", "merge disk"] }, { ["merge! \($0 + 2)"] },
    { ["5s/e/E/", "merge! \($0 + 2)"] }, { _ in ["$s/$/ and/", "merge! disk"] },
    { _ in ["history patch"] }, { _ in ["history git"] },
    { _ in ["undo 99"] },
  ]

  /// The lines of the script.
  var lines: [String] {
    var word = Self.words[word](keepsHistory ? 1 : 0)
    switch writer {
    case .none: break
    case .appends: word = ["!echo other >>%"] + word
    case .edits: word = ["!\"$UED\" --history=off -i -e 6s/six/VI/ %"] + word
    }
    switch mistake {
    case .none: break
    case .before: word = ["/zz/"] + word
    case .after: word += ["/zz/"]
    case .inGroup: word = ["begin", "1d", "merge 2", "2d", "end"] + word
    }
    return Self.groups + word + [",p", "w"]
  }

  /// The script as a text.
  var script: String { lines.map { $0 + "\n" }.joined() }

  /// The arguments.
  var arguments: [String] {
    var all = (source == .person ? [] : ["-s"]) + source.arguments(lines)
    switch mode {
    case .none: break
    case .inPlace: all.append("-i")
    case .atomic: all.append("--atomic")
    case .json: all.append("--json")
    case .diff: all.append("--diff")
    case .check: all.append("--check")
    case .verbose: all.append("-v")
    }
    return all + ["--history=\(keepsHistory ? "on" : "off")", "f"] + (hasSeveralFiles ? ["g"] : [])
  }
}
