/// Completion of file names.
enum FileNames {
  /// The completions of a path.
  ///
  /// Folders end with a slash. Names that can't be typed are left out, and so are hidden files unless
  /// the typed name begins with a period.
  static func completions(of path: [UInt8]) -> Completions {
    let slash = path.lastIndex(of: .slash)
    let folder = slash.map { Array(path[...$0]) } ?? []
    let typed = Array(path.dropFirst(folder.count))
    let names = FolderListing.names(in: folder.isEmpty ? [.dot] : folder).filter { name in
      name.starts(with: typed) && (name.first != .dot || typed.first == .dot)
        && String(validating: name, as: UTF8.self) != nil && name.allSatisfy { $0 >= 0x20 }
    }
    let candidates = names.sorted { $0.lexicographicallyPrecedes($1) }.map { name in
      Completions.Candidate(text: isFolder(folder + name) ? name + [.slash] : name)
    }
    return Completions(typedCount: typed.count, candidates: candidates)
  }

  private static func isFolder(_ path: [UInt8]) -> Bool {
    OpenFile.status(of: path)?.isFolder == true
  }
}
