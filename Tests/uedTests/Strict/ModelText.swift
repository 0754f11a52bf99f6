/// A text in the model, with its history.
struct ModelText: Sendable {
  struct Revision: Equatable, Sendable {
    var name: String
    var lines: [String]
    var parent: Int?
  }

  /// The default file name; nil without.
  var name: String?
  var lines: [String] = []
  /// Whether the last line is written without a newline.
  var lacksNewline = false
  /// Ed's modified flag.
  var isDirty = false
  /// The file that was read or written last under the default name, and its content; nil if it was not.
  var known: (name: String, content: String?)?
  var revisions: [Revision] = []
  var current = 0
  /// The revision that was saved last; nil if that text was not one.
  var saved: Int? = 0
  /// The name of the file to which the history belongs.
  var historyName: String?
  /// The text at the `begin` of an open group, and whether it was modified.
  var groupStart: (lines: [String], isDirty: Bool)?

  /// What is written.
  var fileText: String {
    let text = lines.map { $0 + "\n" }.joined()
    return lacksNewline ? String(text.dropLast()) : text
  }

  /// Splits the content of a file into lines.
  static func lines(of content: String) -> [String] {
    var lines = content.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if lines.last == "" { lines.removeLast() }
    return lines
  }

  /// Changes the text; in an open group that becomes a revision only at its end.
  mutating func change(_ group: String, _ new: [String]) {
    isDirty = true
    if groupStart == nil { addRevision(group, new, after: lines) }
    lines = new
  }

  private mutating func addRevision(_ name: String, _ new: [String], after old: [String]) {
    if new == old { return }
    revisions.append(Revision(name: name, lines: new, parent: current))
    current = revisions.count - 1
  }

  mutating func endGroup() {
    guard let start = groupStart else { return }
    groupStart = nil
    let wasSaved = !isDirty
    addRevision("tidy", lines, after: start.lines)
    if wasSaved { saved = current }
  }

  mutating func didSave() {
    isDirty = false
    saved = groupStart == nil ? current : nil
  }
}
