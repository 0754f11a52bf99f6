import CEdit
import Glibc

/// What libedit prints: its drawings, which `LineScreen` replaces, bells, and answers about bindings.
///
/// SAFETY: `text` is allocated in `init`, written by the stream, and freed after it is closed, in
/// `deinit`. Its bytes are read after a flush, and not kept.
@safe final class EditorOutput {
  private let text: UnsafeMutablePointer<cedit_text>
  let stream: UnsafeMutablePointer<FILE>

  init?() {
    unsafe text = .allocate(capacity: 1)
    unsafe text.initialize(to: cedit_text())
    guard let stream = unsafe cedit_open_text(text) else {
      unsafe text.deallocate()
      return nil
    }
    unsafe self.stream = stream
  }

  deinit {
    unsafe fclose(stream)
    unsafe free(text.pointee.bytes)
    unsafe text.deallocate()
  }

  /// Drops what was printed; true if a bell was among it.
  func takeBell() -> Bool {
    unsafe printed.contains(0x07)
  }

  /// Takes what was printed.
  func take() -> [UInt8] {
    unsafe Array(printed)
  }

  /// What was printed since the last call; valid until more is printed.
  private var printed: UnsafeRawBufferPointer {
    unsafe fflush(stream)
    let count = unsafe text.pointee.count
    unsafe fseeko(stream, 0, SEEK_SET)
    return unsafe UnsafeRawBufferPointer(start: text.pointee.bytes, count: count)
  }
}
