import Differential
import Glibc
import TextBuffer

@testable import ued

/// An editor that runs the text of commands, like the command loop.
final class EditorDriver {
  var editor: Editor
  private let rendering: PlainRendering
  private let output: Int32
  /// The assumed source of the commands: an error of a script aborts open groups.
  private let kind: InputKind
  /// A folder for the files of the commands; the text comes from the file `f` in it.
  let folder = Disk.temporaryFolder()

  init(_ text: String, kind: InputKind = .terminal) {
    var options = Options()
    options.script = true
    options.verbose = true
    options.quiet = true
    output = Glibc.open(folder + "/output", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    rendering = PlainRendering(descriptor: output, options: options)
    editor = Editor(
      options: options, console: Console(lines: ScriptLines([], kind: kind), rendering: rendering))
    self.kind = kind
    Disk.write(folder + "/f", Array(text.utf8))
    do throws(EditorError) {
      try editor.open(Array((folder + "/f").utf8))
    } catch {
      fatalError("cannot open the text: \(error)")
    }
  }

  deinit {
    close(output)
    Disk.remove(contentsOf: folder)
  }

  /// Runs commands, whatever becomes of them.
  ///
  /// - Returns: The last error.
  @discardableResult
  func run(_ script: String) -> EditorError? {
    editor.console.startOver(
      lines: ScriptLines(Array(script.utf8), kind: kind), isVerbose: editor.console.isVerbose)
    var failure: EditorError?
    while editor.readCommand(completions: nil) == .line {
      let parsed = editor.parseCommand()
      do throws(EditorError) {
        _ = try editor.run(parsed)
      } catch {
        failure = error
        if kind != .terminal { editor.commandOfScriptFailed(error) }
      }
    }
    return failure
  }

  /// The output since the last call, as text.
  func takeOutput() -> String { String(decoding: takeOutputBytes(), as: UTF8.self) }

  /// The output since the last call.
  func takeOutputBytes() -> [UInt8] {
    rendering.flush()
    var bytes = [UInt8](repeating: 0, count: Int(lseek(output, 0, SEEK_CUR)))
    let count = pread(output, &bytes, bytes.count, 0)
    ftruncate(output, 0)
    lseek(output, 0, SEEK_SET)
    return Array(bytes.prefix(count))
  }

  /// Gives the text another file name, with any bytes.
  func setFileName(_ name: [UInt8]) { editor.file.name = name }

  /// The text.
  var text: String { String(decoding: editor.text.buffer.bytes, as: UTF8.self) }

  /// The lines after each change of the newest group.
  var textsOfLatestGroup: [[String]] {
    let id = editor.text.history.current
    guard let parent = editor.text.history[id].parent else { return [] }
    var then = editor.text.document.text(of: parent)
    return editor.text.document.changes(of: id).map { change in
      then.apply(change)
      let text = String(decoding: then.bytes, as: UTF8.self)
      return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map {
        String($0)
      }
    }
  }

  /// The description of a revision.
  func description(of id: Int) -> String { editor.text.document.description(of: id) }

  /// The name of a revision, or else its description.
  func name(of id: Int) -> String { editor.text.history[id].name ?? description(of: id) }

  /// The titles of all revisions that there are, by number.
  var names: [Int: String] {
    var names: [Int: String] = [:]
    for id in editor.text.history.revisions.indices where editor.text.isRevision(id) {
      names[id] = editor.text.title(id)
    }
    return names
  }
}
