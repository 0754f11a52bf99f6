import Differential

/// A ued that a session keeps open, and its expected state.
final class SimulatedEditor {
  enum Kind {
    /// Answers as JSON, and is strict.
    case answering
    /// A plain script through a pipe.
    case plain
  }

  let number: Int
  let kind: Kind
  let program: HeldProgram
  let fault: Fault?
  var file: String
  /// Whether it was started with a history.
  let hasHistory: Bool
  /// Whether its groups are stored, as far as it has said.
  var keepsHistory: Bool
  /// Whether its last answer said that history is not kept; its group may be stored or not.
  var hasJustLostHistory = false
  var text = SimulatedText()
  /// Whether it may have moved to a group of another editor.
  var hasOthersText = false
  /// The bytes that `w` writes: a strict editor does not add a missing last newline.
  var written: [UInt8] { kind == .answering ? text.bytes : text.saved }
  var revision = 0
  /// Texts of revisions that this process has shown.
  var texts: [Int: SimulatedText] = [:]
  var pending: [Ledger.Pending] = []
  /// The text of a plain script; it becomes a revision unless the next group is merged into it.
  var unfinished: [UInt8]?
  /// The last content read from the file or written to it; nil if the file did not exist.
  var known: [UInt8]?
  /// Whether one of its saves has failed, so that its knowledge of the file is uncertain.
  var hasFailed = false
  /// Whether the last text command was an edit after the last save.
  var isSurelyModified = false
  /// The text before the last command that changed it, for `u`.
  var previous: SimulatedText?
  /// The text before the open group.
  var groupStart: SimulatedText?
  /// The bytes of a save without an answer yet.
  var writing: [UInt8]?
  /// Its last output, at exit.
  var lastWords: [UInt8] = []
  /// The signal that it was sent.
  var signal: Int32?

  init(
    _ number: Int, _ kind: Kind, _ program: HeldProgram, file: String, history: Bool,
    _ fault: Fault?
  ) {
    (self.number, self.kind, self.program, self.fault) = (number, kind, program, fault)
    (self.file, keepsHistory, hasHistory) = (file, history, history)
  }

  /// Whether disk calls fail.
  var fails: Bool { fault?.kills == false }

  /// The reply to a command: whether it has succeeded, and the answer if there is one.
  ///
  /// - Throws: The program has ended, or hangs.
  func ask(_ command: [UInt8]) throws(HeldProgram.Silence) -> Answer? {
    switch kind {
    case .answering:
      program.send(command + [0x0A])
      return Answer(try program.line())
    case .plain:
      program.send(command + Array("\n0=\n".utf8))
      var answer: Answer?
      while true {
        let line = try program.line()
        if line == Array("0".utf8) { return answer }
        if line == [UInt8(ascii: "?")] { answer = Answer(line) }
      }
    }
  }

  /// Whether it has said that history is not kept.
  func tellsThatHistoryIsNotKept(_ answer: Answer?) -> Bool {
    program.readErrors()
    let errors = String(decoding: program.errors, as: UTF8.self)
    let last = String(decoding: lastWords, as: UTF8.self)
    return [errors, last, answer?.notices ?? ""].contains { said in
      ["not kept", "history was damaged", "not in the history"].contains { said.contains($0) }
    }
  }
}
