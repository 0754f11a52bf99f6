import Glibc
import TextBuffer

/// The work of `--apply`: the differences of a patch, each with its file.
struct PatchRun: Sendable {
  /// The differences of a file, in order, and its paths before and after.
  struct Step: Sendable {
    fileprivate(set) var differences: [FileDifference]
    let path, newPath: [UInt8]

    /// Whether the file will be created, removed or renamed.
    var isUnusual: Bool { differences.contains { $0.isUnusual } }
  }

  /// The name of the patch; nil for standard input.
  let name: [UInt8]?
  private(set) var steps: [Step] = []
  /// The steps that only change a file, by its path.
  private var usualSteps: [[UInt8]: Int] = [:]
  /// The files that exist after the steps so far.
  private var made: Set<[UInt8]> = []

  /// Reads a patch, `-` from standard input, and finds the files that it changes. Afterwards, the
  /// process opens no file outside of the current folder by a relative path.
  ///
  /// - Throws: The reason why it can't be applied to any file.
  init(reading name: [UInt8]) throws(RunFailure) {
    let isInput = name == [UInt8(ascii: "-")]
    self.name = isInput ? nil : name
    let shownName = isInput ? Array("stdin".utf8) : name
    let bytes: [UInt8]
    do throws(FileError) {
      let loaded =
        isInput
        ? DiskFiles().load(from: STDIN_FILENO, sizeHint: 0, path: shownName, strippingCR: false)
        : try DiskFiles().read(name, strippingCR: false)
      if let failure = loaded.failure { throw failure }
      bytes = loaded.text.bytes
    } catch {
      throw RunFailure(file: shownName, error: .file(error))
    }
    do {
      for difference in try UnifiedPatch(bytes).files { try add(difference) }
    } catch {
      let error: EditorError = error == .isInterrupted ? .interrupted : .patch(error)
      throw RunFailure(file: shownName, error: error)
    }
    OpenFile.confine()
    try check()
  }

  /// Adds a difference. If it has two names, its file is the one that exists.
  private mutating func add(_ difference: FileDifference) throws(PatchError) {
    if Interrupts.isInterrupted { throw .isInterrupted }
    for name in [difference.old.path, difference.new.path] where name?.count ?? 0 >= PATH_MAX {
      throw .nameIsTooLong(line: difference.patchLine)
    }
    let (old, new) = (
      difference.old.path.map(Self.withoutDots), difference.new.path.map(Self.withoutDots)
    )
    guard var path = old ?? new else { throw .hasNoName(line: difference.patchLine) }
    if !difference.isRename, let old, let new, old != new {
      // Like `patch`: prefers the shorter of `f.orig` and `f`, and the old one of two equally long
      // names.
      let known = [old, new].filter { OpenFile.exists($0) || made.contains($0) }
      path =
        known.min { ($0.count { $0 == .slash }, $0.count) < ($1.count { $0 == .slash }, $1.count) }
        ?? old
    }
    let newPath = difference.isRename ? new ?? path : path
    if !difference.isUnusual, let index = usualSteps[path] {
      steps[index].differences.append(difference)
      return
    }
    if !difference.isUnusual { usualSteps[path] = steps.count }
    if difference.new != .none { made.insert(newPath) }
    steps.append(Step(differences: [difference], path: path, newPath: newPath))
  }

  /// A path without folders `.`, so that each file has one name.
  private static func withoutDots(_ path: [UInt8]) -> [UInt8] {
    let parts = path.split(separator: .slash, omittingEmptySubsequences: false)
    let others = parts.filter { $0 != [.dot] }
    return others.isEmpty ? path : Array(others.joined(separator: [.slash]))
  }

  /// Throws if a file is outside of the folder or reserved, or if the order of the writes matters.
  private func check() throws(RunFailure) {
    var counts: [[UInt8]: Int] = [:]
    for step in steps {
      for path in Set([step.path, step.newPath]) { counts[path, default: 0] += 1 }
    }
    for step in steps {
      let error: EditorError
      let paths = [step.path, step.newPath]
      if Interrupts.isInterrupted {
        error = .interrupted
      } else if paths.contains(where: { $0.first == .slash }) {
        error = .patch(.nameIsAbsolute)
      } else if !paths.allSatisfy({ PatchedPlace.isInside($0, forbidsLink: step.isUnusual) }) {
        error = .patch(.nameLeadsOut)
      } else if !paths.allSatisfy(PatchedPlace.isUnreserved) {
        error = .patch(.nameIsReserved)
      } else if step.isUnusual && paths.contains(where: { counts[$0] ?? 0 > 1 }) {
        error = .patch(.isTangled)
      } else {
        continue
      }
      throw RunFailure(file: step.path, error: error)
    }
  }
}

/// The places where a patch may change files.
enum PatchedPlace {
  /// Whether a path leads to a file below the current folder: it is relative, has no `..`, and its
  /// symbolic links stay inside. `forbidsLink` forbids a link at its end.
  static func isInside(_ path: [UInt8], forbidsLink: Bool) -> Bool {
    let parts = path.split(separator: .slash, omittingEmptySubsequences: false)
    if path.contains(0) || parts.contains([]) || parts.contains([.dot, .dot]) { return false }
    if forbidsLink && OpenFile.isLink(path) { return false }
    var path = path
    while true {
      if (try? FilePlace(following: path)) != nil { return true }
      // Missing folders will be created; anything else at their path, or a link to a missing file,
      // is in the way.
      let folder = FilePlace.split(path).folder.dropLast()
      if folder.isEmpty || OpenFile.exists(Array(folder)) { return false }
      path = Array(folder)
    }
  }

  /// Whether no part of a path, or of its target, is reserved for git or ued.
  static func isUnreserved(_ path: [UInt8]) -> Bool {
    var parts = path.split(separator: .slash)
    if let place = try? FilePlace(following: path),
      let top = try? OpenFile([.dot], O_RDONLY | O_DIRECTORY)
    {
      parts.append(place.name[...])
      parts += place.folder.path.split(separator: .slash)
        .dropFirst(top.path.split(separator: .slash).count)
    }
    return !parts.contains { $0.split(separator: .backslash).contains(where: isReserved) }
  }

  /// Whether some file system treats a name as `.git` or as a name of ued. File systems of Windows
  /// drop periods and blanks at the end, and have streams after a colon, short names, and
  /// backslashes between folders; file systems of macOS ignore invisible characters.
  private static func isReserved(_ part: ArraySlice<UInt8>) -> Bool {
    var name = String(decoding: part, as: UTF8.self).lowercased().unicodeScalars
    name.removeAll { $0.properties.isDefaultIgnorableCodePoint }
    if let colon = name.firstIndex(of: ":") { name.removeSubrange(colon...) }
    while let last = name.last, last == "." || last == " " { name.removeLast() }
    let plain = String(name)
    return plain == ".git" || plain == "git~1" || plain.hasPrefix(".ued-")
  }
}
