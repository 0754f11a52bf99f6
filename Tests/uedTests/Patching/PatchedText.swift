import TextBuffer

@testable import ued

/// The result of a patch on the bytes of a file.
enum PatchedText {
  /// Applies the hunks of a patch for one text.
  static func of(_ bytes: [UInt8], by patch: [UInt8]) throws -> [UInt8] {
    let files = try UnifiedPatch(patch).files
    if files.count > 1 { throw PatchError.hasSeveralFiles(files.count) }
    let hunks = files[0].hunks
    let isUnterminated = bytes.last.map { $0 != UInt8(ascii: "\n") } ?? false
    var text = PieceTable(bytes + (isUnterminated ? [UInt8(ascii: "\n")] : []))
    let placement = try HunkPlacement(of: hunks, in: text, isUnterminated: isUnterminated)
    for change in placement.changes.reversed() {
      text.replace(text.byteRange(of: change.lines), with: change.new)
    }
    let lacksNewline = placement.lacksNewline ?? isUnterminated
    return lacksNewline && !text.isEmpty ? text.bytes.dropLast() : text.bytes
  }

  /// For strings.
  static func of(_ text: String, by patch: String) throws -> String {
    String(decoding: try of(Array(text.utf8), by: Array(patch.utf8)), as: UTF8.self)
  }
}
