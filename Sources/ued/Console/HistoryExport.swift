/// A history to be written in a format of other programs.
struct HistoryExport: Sendable {
  enum Form: Sendable {
    /// Patches from the first text to the current one.
    case patches
    /// All revisions for `git fast-import`.
    case commits
  }

  let form: Form
  /// The text with its history. What open groups have done is not part of it.
  let text: EditedText
  /// The name of the file; empty when there is none.
  let fileName: [UInt8]
  /// Whether the file may be executed.
  let isExecutable: Bool

  /// The name without its folders.
  var baseName: [UInt8] {
    let name = Array(fileName.drop { $0 == .slash }.split(separator: .slash).last ?? [])
    return Self.isRefused(name) ? Self.nameless : name
  }

  /// The path as a patch can have it, which must not lead out of the present folder: for a path that
  /// does, the name without its folders.
  var relativePath: [UInt8] {
    let parts = fileName.split(separator: .slash).map { Array($0) }.filter { $0 != [.dot] }
    return fileName.first == .slash || parts.isEmpty || parts.contains { Self.isRefused($0) }
      ? baseName : Array(parts.joined(separator: [.slash]))
  }

  /// What a text without a file is called.
  private static let nameless = Array("text".utf8)

  /// Whether git takes a path with this component for one that leads out, or into its own folder.
  private static func isRefused(_ part: [UInt8]) -> Bool {
    let folded = String(decoding: part, as: UTF8.self).lowercased()
    return ["", ".", "..", ".git", "git~1"].contains(folded)
  }
}
