import Glibc

/// Files that the measured programs have written.
enum Files {
  /// Whether two files have the same bytes, or one of them does not exist.
  static func areEqual(_ path: String, _ otherPath: String) -> Bool {
    guard let file = fopen(path, "r") else { return true }
    defer { fclose(file) }
    guard let other = fopen(otherPath, "r") else { return true }
    defer { fclose(other) }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    var otherBytes = bytes
    while true {
      let count = fread(&bytes, 1, bytes.count, file)
      guard fread(&otherBytes, 1, otherBytes.count, other) == count,
        memcmp(bytes, otherBytes, count) == 0
      else { return false }
      if count == 0 { return true }
    }
  }
}
