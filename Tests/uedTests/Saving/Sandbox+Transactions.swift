import Differential
import TextBuffer
import Testing

@testable import ued

/// Helpers for transactions.
extension Sandbox {
  func pathBytes(_ name: String) -> [UInt8] { Array((path + "/" + name).utf8) }

  /// A file as read.
  func known(_ name: String) -> KnownFile {
    let loaded = try? DiskFiles().read(pathBytes(name), strippingCR: false)
    return KnownFile(
      path: pathBytes(name), identity: loaded?.identity, texts: loaded.map { [$0.text] } ?? [])
  }

  func replacing(_ name: String, known: KnownFile? = nil) -> FileWrite {
    FileWrite(
      path: pathBytes(name), text: PieceTable(Array("new\n".utf8)), known: known ?? self.known(name)
    )
  }

  func creating(_ name: String) -> FileWrite {
    FileWrite(
      path: pathBytes(name), text: PieceTable(Array("new\n".utf8)),
      known: KnownFile(path: pathBytes(name)))
  }

  /// Mends a killed run next to a file; runs that were killed elsewhere on the machine stay.
  func mend(_ name: String) -> TransactionMender.Mending {
    TransactionMender.mend(beside: pathBytes(name), or: [])
  }

  /// The attributes of a file, or of a folder and its contents.
  func list(_ name: String) -> [UInt8] {
    run("find \(name) -printf '%i %M %U %T@ %p %l\n'")
  }

  /// Checks that ued has left no temporary file in any folder.
  func expectClean() {
    let left = run("find . -name '.ued-*'")
    #expect(left.isEmpty, "\(String(decoding: left, as: UTF8.self))")
  }
}
