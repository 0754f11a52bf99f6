/// The commands that are whole words. ed rejects every one of them, so no script of ed's means
/// anything else by it.
enum Word: String, CaseIterable, Sendable {
  case abort, begin, checkpoint, diff, earlier, end, help, history, jump, later, name, redo, revert
  case undo

  /// The word that `bytes` spell.
  init?(bytes: ArraySlice<UInt8>) {
    guard let word = Self.allCases.first(where: { bytes.elementsEqual($0.rawValue.utf8) }) else {
      return nil
    }
    self = word
  }
}
