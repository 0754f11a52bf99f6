import Foundation

/// An answer of `ued --json`, as far as it is needed here; `ued-json(5)` has the other members.
struct Answer: Decodable {
  /// What has become of a file; in the last answer.
  struct File: Decodable {
    let path: Text
    /// Hashes of the content before and after the run, or as it would be.
    let before: String?
    let after: String?
    let diff: [Text]?
    let message: Text?
  }

  /// A string or, if it is not UTF-8, its bytes in base64.
  struct Text: Decodable {
    let string: String

    private enum Key: CodingKey {
      case base64
    }

    init(from decoder: any Decoder) throws {
      if let string = try? decoder.singleValueContainer().decode(String.self) {
        self.string = string
      } else {
        let bytes = try decoder.container(keyedBy: Key.self).decode(Data.self, forKey: .base64)
        string = String(decoding: bytes, as: UTF8.self)
      }
    }
  }

  /// The file of a command, if there are several.
  let file: Text?
  let command: Text?
  let revision: Int?
  let message: Text?
  /// The exit status; in the last answer.
  let status: Int32?
  let files: [File]?
}
