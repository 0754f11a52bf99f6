import CEdit
import Glibc
import TextBuffer

/// The user's settings for line editing: the file `$EDITRC`, or else `~/.editrc`.
///
/// libedit would read them itself, but does not tell which line it stops at.
///
/// SAFETY: libedit borrows the text of a setting for the length of the call.
@safe enum LineSettings {
  /// Applies all settings that libedit understands.
  ///
  /// - Returns: The first line that it does not understand.
  static func apply(to editor: OpaquePointer) -> SettingsFault? {
    guard let path, let loaded = try? DiskFiles().read(path, strippingCR: false) else { return nil }
    let lines = loaded.text.bytes.split(separator: .newline, omittingEmptySubsequences: false)
    var fault: SettingsFault?
    for (index, line) in lines.enumerated() {
      let setting = line.drop { $0.isSpace }
      if setting.isEmpty || setting.first == UInt8(ascii: "#") { continue }
      let inner = "\\\(String(innerMacro, radix: 8))\(index);"
      let isUnderstood = unsafe SystemName.lend(Array(setting)) {
        unsafe cedit_run_setting(editor, $0, macro + inner, inner) == 0
      }
      if !isUnderstood && fault == nil { fault = SettingsFault(path: path, line: index + 1) }
    }
    // Settings may choose other key maps, or bind the keys themselves.
    unsafe cedit_bind_everywhere(editor, macro, "ued-macro")
    unsafe cedit_bind_everywhere(editor, TerminalKey.enter.setting, "ed-newline")
    return fault
  }

  /// The key that comes before the text of each macro, as a setting; see `TerminalFunctions.beginMacro`.
  private static let macro = "\\236"
  /// The first of the keys that are bound to the text of a macro.
  private static let innerMacro: UInt8 = 0x9F

  private static var path: [UInt8]? {
    ProcessArguments.environment("EDITRC")
      ?? ProcessArguments.environment("HOME").map { $0 + Array("/.editrc".utf8) }
  }
}
