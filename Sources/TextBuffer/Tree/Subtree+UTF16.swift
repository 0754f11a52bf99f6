extension Subtree {
  /// The offset of the byte that UTF-16 unit `ordinal`, counted from 0, belongs to; the end of the
  /// text for `utf16Count`.
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

  /// The counts before `offset`, or before the start of the character that `offset` is inside of.
  func summary(beforeCharacterAt offset: Int) -> Summary {
    summary(before: characterStart(offset))
  }

  /// The start of the character that `offset` is inside of; `offset` if there is none. A character
  /// is the first byte of two, three or four and the continuation bytes after it. Some may be
  /// missing.
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

  /// The number of bytes from the start of a character to an offset inside of it; 0 elsewhere.
  func distanceInCharacter(_ offset: Int) -> Int { offset - characterStart(offset) }

  /// The byte after `offset`, which is not the end of the text.
  func byte(at offset: Int) -> UInt8 {
    let place = location(of: offset)
    return place.leaf[piece: place.index].byte(at: offset - place.before.byteCount)
  }
}

/// Whether a byte is a continuation byte of UTF-8.
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
