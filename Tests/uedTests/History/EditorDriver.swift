import Differential
import Glibc
import TextBuffer

@testable import ued

/// An editor that is run by the text of commands, as the command loop runs it.
final class EditorDriver {
  private(set) var editor: Editor
  private var renderer: Renderer
  private let output: Int32
  /// What the commands count as coming from: an error of a script gives up open groups.
  private let kind: InputKind
  /// A folder for the files of the commands; the text comes from the file `f` in it.
  let folder = Disk.temporaryFolder()

  init(_ text: String, kind: InputKind = .terminal) {
    var options = Options()
    options.script = true
    options.verbose = true
    editor = Editor(options: options)
    output = Glibc.open(folder + "/output", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    renderer = Renderer(descriptor: output, isQuiet: true)
    self.kind = kind
    Disk.write(folder + "/f", Array(text.utf8))
    var source = ScriptLines([])
    do throws(EditorError) {
      try editor.open(Array((folder + "/f").utf8), reading: &source, writing: &renderer)
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
    var source = ScriptLines(Array(script.utf8), kind: kind)
    var line: [UInt8] = []
    var failure: EditorError?
    while source.next(into: &line, for: .command(prompt: [])) == .line {
      editor.noteBytes(of: line)
      var parser = CommandParser(line: line)
      let parsed = parser.next()
      do throws(EditorError) {
        _ = try editor.execute(parsed, reading: &source, writing: &renderer)
        editor.endChange()
      } catch {
        editor.endChange()
        failure = error
        if kind != .terminal { editor.abortAllGroups() }
      }
    }
    return failure
  }

  /// What has been printed since the last call.
  func takeOutput() -> String {
    renderer.flush()
    var bytes = [UInt8](repeating: 0, count: Int(lseek(output, 0, SEEK_CUR)))
    let count = pread(output, &bytes, bytes.count, 0)
    ftruncate(output, 0)
    lseek(output, 0, SEEK_SET)
    return String(decoding: bytes.prefix(count), as: UTF8.self)
  }

  /// The text.
  var text: String { String(decoding: editor.buffer.bytes, as: UTF8.self) }

  /// The names of all revisions that there are, by number.
  var names: [Int: String] {
    var names: [Int: String] = [:]
    for id in editor.history.revisions.indices where editor.isRevision(id) {
      names[id] = editor.name(id)
    }
    return names
  }
}
