import Glibc

/// The names of files, for completion.
///
/// SAFETY: paths are lent to the system for the length of a call; an entry that `readdir` gives is
/// copied before the next one is asked for.
@safe enum FileNames {
  /// The ways in which the path of a file can go on.
  ///
  /// A folder ends with a slash. Hidden files are left out unless the name begins with a period, and
  /// so are names that can't be typed.
  static func completions(of path: [UInt8]) -> Completions {
    let slash = path.lastIndex(of: .slash)
    let folder = slash.map { Array(path[...$0]) } ?? []
    let typed = Array(path.dropFirst(folder.count))
    let names = names(in: folder.isEmpty ? [.dot] : folder).filter { name in
      name.starts(with: typed) && (name.first != .dot || typed.first == .dot)
        && String(validating: name, as: UTF8.self) != nil && name.allSatisfy { $0 >= 0x20 }
    }
    let candidates = names.sorted { $0.lexicographicallyPrecedes($1) }.map { name in
      Completions.Candidate(text: isFolder(folder + name) ? name + [.slash] : name)
    }
    return Completions(typedCount: typed.count, candidates: candidates)
  }

  private static func names(in folder: [UInt8]) -> [[UInt8]] {
    guard let stream = unsafe opendir(characters(folder)) else { return [] }
    defer { unsafe closedir(stream) }
    var names: [[UInt8]] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe Array(bytes.prefix { $0 != 0 })
      }
      if name != [.dot] && name != [.dot, .dot] { names.append(name) }
    }
    return names
  }

  private static func isFolder(_ path: [UInt8]) -> Bool {
    var status = stat()
    return unsafe stat(characters(path), &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  private static func characters(_ path: [UInt8]) -> [CChar] {
    (path + [0]).map(CChar.init(bitPattern:))
  }
}
