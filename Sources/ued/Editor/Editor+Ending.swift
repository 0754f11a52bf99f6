import TextBuffer

/// What is done when a signal ends the program.
extension Editor {
  /// Writes unsaved text to `ed.hup` after a hangup, in the current or else in the home folder.
  ///
  /// - Returns: Whether there is no unsaved text left.
  mutating func saveForHangUp() -> Bool {
    guard text.lastLine > .zero, text.isModified else { return true }
    let text = text.fileText
    let lineCount = self.text.lastLine.value
    for path in Self.rescuePaths {
      let content = FileContent(
        text: text, range: ByteOffset(0)..<ByteOffset(text.byteCount), path: path)
      do throws(FileError) {
        try file.disk.rescue(content)
        console.say(
          .written(
            name: path, lineCount: lineCount, byteCount: content.byteCount,
            isAppended: false))
        return true
      } catch {
        console.say(.failure(error))
      }
    }
    return false
  }

  /// Where the text is saved after a hangup: the second path where the first one can't be written.
  private static var rescuePaths: [[UInt8]] {
    let name = Array("ed.hup".utf8)
    guard let home = ProcessArguments.environment("HOME"), !home.isEmpty else { return [name] }
    return [name, home + (home.last == .slash ? [] : [.slash]) + name]
  }

  /// Names what a session of this user has saved after a hangup, unless it is the file that is edited.
  func sayRescuedText() {
    for path in Self.rescuePaths {
      guard path != file.name, let status = OpenFile.status(of: path), status.isRegular,
        status.st_uid == SystemUser.number
      else { continue }
      return console.say(.warning(.leftByHangUp(path)))
    }
  }
}
