import Glibc
import TextBuffer

final class FileLocks: @unchecked Sendable {
  func lock(_ paths: [[UInt8]]) throws(SystemError) {}
  func unlock() {}
}
struct FileReplacement {
  var path: [UInt8]; var text: PieceTable; var known: KnownFile?; var backup: [UInt8]?
}
enum TransactionError: Error, Equatable {
  case file(FileError)
  case changed(path: [UInt8], KnownFile.Danger)
  case rejected(path: [UInt8])
  case notUndone(paths: [[UInt8]], FileError)
}
struct FileTransaction: ~Copyable {
  let all: [FileReplacement]
  init(staging: [FileReplacement]) throws(TransactionError) { all = staging }
  func validate(_ check: ([UInt8], FileReplacement) throws(TransactionError) -> Void)
    throws(TransactionError)
  {}
  mutating func commit() throws(TransactionError) {
    do {
      for r in all {
        if let known = r.known, let (d, _) = DiskFiles().danger(ofWriting: r.path, over: known) {
          throw TransactionError.changed(path: r.path, d)
        }
        if let b = r.backup { try DiskFiles().backUp(r.path, to: b) }
        try DiskFiles().write(
          r.text, ByteOffset(0)..<ByteOffset(r.text.byteCount), to: r.path, appending: false)
      }
    } catch let e as TransactionError { throw e } catch let e as FileError { throw .file(e) } catch
    { fatalError() }
  }
  consuming func finish() {}
}
