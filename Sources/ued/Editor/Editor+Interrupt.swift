import TextBuffer

/// Giving up a command as if it had not been given.
extension Editor {
  /// The state before a command.
  struct CommandStart {
    fileprivate var revision: Int
    fileprivate var currentLine: Int
    fileprivate var marks: Marks
    fileprivate var isMarkedModified: Bool
    fileprivate var isBinary: Bool
    fileprivate var cut: Cut?
    fileprivate var fileName: [UInt8]
    fileprivate var undoPoint: UndoPoint?
  }

  /// The state now, between two commands.
  var commandStart: CommandStart {
    CommandStart(
      revision: history.current, currentLine: currentLine, marks: marks,
      isMarkedModified: isMarkedModified, isBinary: isBinary, cut: cut,
      fileName: fileName, undoPoint: undoPoint)
  }

  /// Puts back the state before a command that was interrupted.
  mutating func takeBack(to start: CommandStart) {
    if hasTransaction {
      hasTransaction = false
      document.rollBack()
    }
    // A command list may have made revisions on its way.
    if !document.isInTransaction && history.current != start.revision {
      document.move(to: start.revision)
    }
    label = nil
    currentLine = start.currentLine
    marks = start.marks
    isMarkedModified = start.isMarkedModified
    isBinary = start.isBinary
    cut = start.cut
    fileName = start.fileName
    undoPoint = start.undoPoint
    noteContext()
  }
}
