/// The commands that are whole words. ed rejects every one of them, so no script of ed's means
/// anything else by it.
enum Word: String, CaseIterable, Sendable {
  case abort, begin, checkpoint, diff, earlier, edit, end, forget, help, history, jump, later, name,
    redo
  case revert, undo

  /// Whether lines can be addressed before it.
  var takesAddresses: Bool { self == .edit }

  /// The word that `bytes` spell.
  init?(bytes: ArraySlice<UInt8>) {
    guard let word = Self.allCases.first(where: { bytes.elementsEqual($0.rawValue.utf8) }) else {
      return nil
    }
    self = word
  }
}
