/// A change of the disk, as the preloaded library records it; `CDisk/Recorder.c` defines the parts.
package struct DiskChange: Sendable {
  package var call: String
  package var inode: UInt64
  package var offset: Int
  package var length: Int
  package var path: String
  package var other: String
  package var data: [UInt8]

  /// The changes of a record, in their order.
  package static func all(in record: [UInt8]) -> [DiskChange] {
    var changes: [DiskChange] = []
    var rest = record[...]
    func take(_ count: Int) -> [UInt8] {
      defer { rest = rest.dropFirst(count) }
      return Array(rest.prefix(count))
    }
    while let end = rest.firstIndex(of: 0x0A) {
      let words = String(decoding: rest[..<end], as: UTF8.self).split(separator: " ")
      rest = rest[(end + 1)...]
      guard words.count == 9, let inode = UInt64(words[3]) else { break }
      let numbers = words[4...].compactMap { Int($0) }
      guard numbers.count == 5 else { break }
      let path = String(decoding: take(numbers[2]), as: UTF8.self)
      let other = String(decoding: take(numbers[3]), as: UTF8.self)
      let data = take(numbers[4])
      changes.append(
        DiskChange(
          call: String(words[2]), inode: inode, offset: numbers[0], length: numbers[1], path: path,
          other: other, data: data))
      rest = rest.dropFirst()
    }
    return changes
  }
}
