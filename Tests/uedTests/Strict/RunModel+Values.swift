/// What a run says and what it has in hand.
extension RunModel {
  /// An error line: its beginning up to the message, and words of the message.
  struct ErrorLine: Equatable, Sendable {
    var prefix: String
    var words: String
  }

  /// Why a run ends.
  struct Failure: Error {
    var file: String?
    /// The line of the script; nil at the opening and at the end.
    var line: Int?
    var words: String
    var status: Int32
    /// Whether `--retry` may help.
    var isTransient = false
  }

  /// A write that waits.
  struct Write {
    var name: String
    var text: String
    var known: (name: String, content: String?)?
  }
}
