import Glibc
import TextBuffer

/// A run to undo, or all runs with a name.
struct RunToUndo: Sendable {
  let identities: Set<String>
  /// The name of the run in the description of the group.
  let title: String
  /// The files of the run whose damaged histories have been set aside.
  let damaged: Set<[UInt8]>
  /// Whether the command line gives the files.
  let isInGivenFiles: Bool
}

/// The tasks on the histories of many files: `--log`, `--record`, `--search`, `--undo-run`.
enum HistoryTasks {
  /// Carries out a task, and returns the exit status.
  static func run(_ task: HistoryTask, _ options: Options) -> Int32 {
    var failures: [RunFailure] = []
    var status: Int32 = 1
    do throws(RunFailure) {
      status = try carryOut(task, options, &failures)
    } catch {
      failures.insert(error, at: 0)
    }
    if !failures.isEmpty { status = max(status, 1) }
    if options.json { return max(print([JSONValue.end(status: status, failures).bytes]), status) }
    for failure in failures {
      TerminalOutput.write(Messages.text(failure) + [.newline], to: STDERR_FILENO)
    }
    return status
  }

  private static func carryOut(
    _ task: HistoryTask, _ options: Options, _ failures: inout [RunFailure]
  ) throws(RunFailure) -> Int32 {
    guard let folder = PrivateFolder.state else {
      throw RunFailure(file: [], error: .noStateFolder)
    }
    let index = HistoryIndex()
    if task != .record { findRenamed(options, index) }
    switch task {
    case .record: return record(options)
    case .log:
      let runs = try runs(in: folder, index, options)
      return print(options.json ? runs.map { JSONValue($0).bytes } : RunTable.lines(runs))
    case .search(let pattern): return try search(pattern, in: folder, index, options, &failures)
    case .undoRun(let name): return try undo(name, in: folder, index, options)
    }
  }

  private static func reading<Result>(
    _ body: () throws(StorageError) -> Result
  ) throws(RunFailure) -> Result {
    do {
      return try body()
    } catch {
      throw RunFailure(file: [], error: .indexUnusable(error))
    }
  }

  /// The earliest time of the wanted runs or groups.
  private static func start(_ options: Options) -> Double {
    switch options.since {
    case nil: -.infinity
    case .ago(let seconds): SystemClock.now - seconds
    case .time(let time): time
    }
  }

  /// The canonical paths of the files of the command line; nil for all files.
  private static func files(_ options: Options) -> Set<[UInt8]>? {
    options.fileNames.isEmpty
      ? nil : Set(options.fileNames.map { HistoryPlace(of: $0)?.file ?? $0 })
  }

  /// Restores the histories of renamed files of the command line.
  private static func findRenamed(_ options: Options, _ index: HistoryIndex) {
    for name in options.fileNames where !options.isDry {
      guard let place = HistoryPlace(of: name), !place.exists,
        let status = OpenFile.status(of: name), status.isRegular,
        status.st_size <= HistoryPlace.largestText,
        let loaded = try? DiskFiles().read(name, strippingCR: false), loaded.failure == nil
      else { continue }
      let (text, usesCRLF) = loaded.text.asEdited
      _ = index.takeLost(for: text, usesCRLF: usesCRLF, at: place)
    }
  }

  /// The wanted runs, newest first.
  private static func runs(
    in folder: [UInt8], _ index: HistoryIndex, _ options: Options
  ) throws(RunFailure) -> [IndexedRun] {
    if OpenFile.status(of: folder) == nil { return [] }
    let (start, files) = (start(options), files(options))
    let all = try reading { () throws(StorageError) in try index.runs(in: folder) }
    return all.filter { run in
      let places = run.places.filter { files?.contains($0.file) ?? true }
      return !places.isEmpty
        && (run.tag.time >= start || places.contains { isNew(run.tag, in: $0, since: start) })
    }
  }

  /// Whether a run has made a group in a history since a time.
  private static func isNew(_ run: RunTag, in place: HistoryPlace, since start: Double) -> Bool {
    guard place.isWritten(since: start) else { return false }
    let time = try? Patience.long.wait { () throws(StorageError) in
      try HistoryStore(opening: place).newestTime(ofRun: run.identity)
    }
    return time.flatMap { $0 } ?? -.infinity >= start
  }

  // MARK: - Recording

  /// Records changes by other programs as groups of this run, and exits with its status.
  private static func record(_ options: Options) -> Int32 {
    var options = options
    (options.keepsHistory, options.historyIsRequired) = (true, true)
    (options.create, options.script) = (true, true)
    guard let script = try? Script([.expression([])]) else { return 1 }
    var run = StrictRun(options: options, script: script)
    return run.runToExit()
  }

  // MARK: - Lists

  /// Prints lines on standard output, and returns the exit status.
  private static func print(_ lines: [[UInt8]]) -> Int32 {
    var output = OutputBuffer(descriptor: STDOUT_FILENO)
    for line in lines { output.writeLine(line) }
    output.flush()
    return output.isBroken ? 1 : 0
  }

  /// Lists the matching groups of all histories, newest first.
  private static func search(
    _ written: [UInt8], in folder: [UInt8], _ index: HistoryIndex, _ options: Options,
    _ failures: inout [RunFailure]
  ) throws(RunFailure) -> Int32 {
    let pattern: Pattern
    do {
      pattern = try Pattern(
        written, extended: options.extendedRegex, ignoreCase: false, isPlainText: false)
    } catch {
      throw RunFailure(file: [], error: .match(error))
    }
    let (start, files) = (start(options), files(options))
    let places = try reading { () throws(StorageError) in
      OpenFile.status(of: folder) == nil ? [] : try index.places(in: folder)
    }
    var found: [FoundGroup] = []
    for place in places where files?.contains(place.file) ?? true {
      do throws(StorageError) {
        found += try Patience.long.wait { () throws(StorageError) in
          try HistoryStore(opening: place).groups(matching: pattern, since: start)
        }
      } catch {
        if error.isMissing { continue }
        failures.append(
          RunFailure(file: [], error: .historyNotSearched(place.file, error)))
      }
    }
    // Groups of one file stay in order, even with equal times.
    let order = found.indices.sorted { (found[$0].time, $0) > (found[$1].time, $1) }
    let lines = order.map { options.json ? JSONValue(found[$0]).bytes : Messages.text(found[$0]) }
    return print(lines)
  }

  // MARK: - Taking back

  private static func undo(
    _ name: [UInt8], in folder: [UInt8], _ index: HistoryIndex, _ options: Options
  ) throws(RunFailure) -> Int32 {
    let runs = called(GroupNames.run(name), try runs(in: folder, index, options))
    guard let newest = runs.first else {
      var everywhere = options
      everywhere.fileNames = []
      let others = try HistoryTasks.runs(in: folder, index, everywhere)
      if !called(GroupNames.run(name), others).isEmpty {
        throw RunFailure(file: [], error: .runNotInFiles(name))
      }
      let isBeginning = others.contains { Array($0.tag.identity.utf8).starts(with: name) }
      throw RunFailure(file: [], error: isBeginning ? .runIdentityTooShort(name) : .noSuchRun(name))
    }
    guard Set(runs.map(\.tag.shownName)).count == 1 else {
      throw RunFailure(
        file: [], error: .ambiguousRun(name, runs.map(\.tag.identity)))
    }
    let files = files(options)
    let paths = Set(runs.flatMap(\.places).map(\.file)).filter { files?.contains($0) ?? true }
    let identities = Set(runs.map(\.tag.identity))
    // Use a name only for all its runs.
    let others = try reading { () throws(StorageError) in try index.runs(in: folder) }
      .filter { $0.tag.name == newest.tag.shownName && !identities.contains($0.tag.identity) }
    let isAll = !others.contains { $0.places.contains { paths.contains($0.file) } }
    var options = options
    options.fileNames = paths.sorted { $0.lexicographicallyPrecedes($1) }
    // Files that the run has removed are created again.
    (options.atomic, options.keepsHistory, options.create) = (true, true, true)
    options.undoesRun = true
    options.inPlaceSuffix = options.inPlaceSuffix ?? []
    let undone = RunToUndo(
      identities: identities,
      title: isAll
        ? newest.tag.shownName : runs.map(\.tag.identity).sorted().joined(separator: ", "),
      damaged: Set(runs.flatMap(\.places).filter(\.isSetAside).map(\.file)),
      isInGivenFiles: files != nil)
    do throws(FileError) {
      var run = StrictRun(options: options, script: try Script([.expression([])]), undoing: undone)
      return run.runToExit()
    } catch {
      throw RunFailure(file: error.path, error: .scriptUnreadable(error))
    }
  }

  /// The runs with this name, or else this identity, or else identities that begin with it.
  private static func called(_ name: String?, _ runs: [IndexedRun]) -> [IndexedRun] {
    guard let name else { return [] }
    let named = runs.filter { $0.tag.name == name }
    if !named.isEmpty { return named }
    let exact = runs.filter { $0.tag.identity == name }
    if !exact.isEmpty || name.count < 4 { return exact }
    return runs.filter { $0.tag.identity.hasPrefix(name) }
  }
}
