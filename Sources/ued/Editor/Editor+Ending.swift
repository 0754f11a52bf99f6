import TextBuffer

/// What is done when a signal ends the program.
extension Editor {
  /// Writes unsaved text to `ed.hup` after a hangup, in the current or else in the home folder.
  ///
  /// - Returns: Whether there is no unsaved text left.
  mutating func saveForHangUp() -> Bool {
    guard text.lastLine > .zero, text.isModified else { return true }
    let name = Array("ed.hup".utf8)
    var paths = [name]
    if let home = ProcessArguments.environment("HOME"), !home.isEmpty {
      paths.append(home + (home.last == .slash ? [] : [.slash]) + name)
    }
    let end = ByteOffset(text.buffer.byteCount - (text.lacksLastNewline ? 1 : 0))
    for path in paths {
      let content = FileContent(text: text.buffer, range: ByteOffset(0)..<end, path: path)
      do throws(FileError) {
        try file.disk.rescue(content)
        console.say(
          .written(
            name: path, lineCount: text.lastLine.value, byteCount: content.byteCount,
            isAppended: false))
        return true
      } catch {
        console.say(.failure(error))
      }
    }
    return false
  }
}
