extension Subtree {
  /// The number of bytes before the one that UTF-16 unit `ordinal`, in `0...utf16Count` and counted
  /// from 0, belongs to; at the end of the text, all bytes.
  func offset(ofUTF16Unit ordinal: Int) -> Int {
    if ordinal == summary.utf16Count { return summary.byteCount }
    var node = NodeView(node)
    var before = Summary()
    while !node.isLeaf {
      var index = 0
      var sum = node.summary(at: 0)
      while before.utf16Count + sum.utf16Count <= ordinal {
        before += sum
        index += 1
        sum = node.summary(at: index)
      }
      node = node.child(index)
    }
    var index = 0
    while before.utf16Count + node[piece: index].utf16Count <= ordinal {
      before += node[piece: index].summary
      index += 1
    }
    return before.byteCount + node[piece: index].offset(ofUTF16Unit: ordinal - before.utf16Count)
  }

  /// The counts of the first `offset` bytes, or of those before the character that `offset` is inside of.
  func summary(beforeCharacterAt offset: Int) -> Summary {
    summary(before: characterStart(offset))
  }

  /// The beginning of the character, as far as it is there, that `offset` is inside of; `offset` if
  /// it is inside of none: the first byte of two, three or four and as many continuation bytes as
  /// belong to it.
  func characterStart(_ offset: Int) -> Int {
    if offset == 0 || offset == summary.byteCount || !isContinuation(byte(at: offset)) {
      return offset
    }
    for distance in 1...3 where distance <= offset {
      let byte = byte(at: offset - distance)
      if isContinuation(byte) { continue }
      return distance < characterLength(from: byte) ? offset - distance : offset
    }
    return offset
  }

  /// The byte after `offset`, which is not the end of the text.
  func byte(at offset: Int) -> UInt8 {
    let place = location(of: offset)
    return place.leaf[piece: place.index].byte(at: offset - place.before.byteCount)
  }
}

/// Whether a byte is one behind the first of a character.
private func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }

/// The number of bytes of a character, by its first one.
private func characterLength(from first: UInt8) -> Int {
  switch first {
  case 0xC2...0xDF: 2
  case 0xE0...0xEF: 3
  case 0xF0...0xF4: 4
  default: 1
  }
}
