import Differential
import Glibc

/// Other programs, which know nothing of ued.
extension SimulatedSession {
  func writeInPlace(_ name: String) {
    Disk.write("\(work)/\(name)", files[name] ?? [])
  }

  /// Another program changes a file.
  func writeOutside() {
    defer { noteOutsideChange() }
    let name = random.pick(Self.names)
    let path = "\(work)/\(name)"
    guard let old = files[name] else {
      files[name] = newText()
      writeInPlace(name)
      return note("outside: \(name) is made")
    }
    switch random.below(10) {
    case 0...2:
      files[name] = newText()
      writeInPlace(name)
      note("outside: \(name) is rewritten")
    case 3...5:
      files[name] = newText()
      Disk.write(path + ".new", files[name] ?? [])
      rename(path + ".new", path)
      linked.remove(name)
      note("outside: \(name) is replaced")
    case 6, 7:
      files[name] = old + token() + [0x0A]
      writeInPlace(name)
      note("outside: \(name) is appended to")
    case 8:
      utimensat(AT_FDCWD, path, nil, 0)
      note("outside: \(name) is touched")
    default:
      unlink(path)
      files[name] = nil
      linked.remove(name)
      note("outside: \(name) is removed")
    }
  }
}
