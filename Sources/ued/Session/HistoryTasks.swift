import Glibc
import TextBuffer

/// A run that is to be taken back, or all runs with a name.
struct UndoneRun: Sendable {
  let identities: Set<String>
  /// What the group in the history calls it.
  let title: String
}

/// What is done with the histories of many files: `--log`, `--search`, `--undo-run`.
enum HistoryTasks {
  /// Does it, and returns the exit status.
  static func run(_ task: HistoryTask, _ options: Options) -> Int32 {
    let status = carryOut(task, options)
    return options.json ? max(print([JSONText.end(status: status)]), status) : status
  }

  private static func carryOut(_ task: HistoryTask, _ options: Options) -> Int32 {
    guard let folder = PrivateFolder.state else { return fail(Messages.noStateFolder) }
    do throws(DatabaseError) {
      let index = HistoryIndex()
      switch task {
      case .log:
        let runs = try runs(in: folder, index, options)
        return print(options.json ? runs.map { JSONText.line($0) } : RunTable.lines(runs))
      case .search(let pattern): return try search(pattern, in: folder, index, options)
      case .undoRun(let name): return try undo(name, in: folder, index, options)
      }
    } catch {
      return fail(Messages.indexUnusable(error))
    }
  }

  private static func fail(_ message: [UInt8], of file: [UInt8] = []) -> Int32 {
    TerminalOutput.write(Messages.strict(message, of: file) + [.newline], to: STDERR_FILENO)
    return 1
  }

  /// When what is looked for was made at the earliest.
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

  /// The runs that the options ask for, newest first.
  private static func runs(
    in folder: [UInt8], _ index: HistoryIndex, _ options: Options
  ) throws(DatabaseError) -> [IndexedRun] {
    if OpenFile.status(of: folder) == nil { return [] }
    let (start, files) = (start(options), files(options))
    return try index.runs(in: folder).filter { run in
      run.tag.time >= start
        && files.map { files in run.places.contains { files.contains($0.file) } } ?? true
    }
  }

  // MARK: - Lists

  /// Prints lines on standard output, and returns the exit status.
  private static func print(_ lines: [[UInt8]]) -> Int32 {
    var output = OutputBuffer(descriptor: STDOUT_FILENO)
    output.showsVisibly = output.isTerminal
    for line in lines { output.writeLine(line) }
    output.flush()
    return output.isBroken ? 1 : 0
  }

  /// Lists the groups of all histories that match, newest first.
  private static func search(
    _ written: [UInt8], in folder: [UInt8], _ index: HistoryIndex, _ options: Options
  ) throws(DatabaseError) -> Int32 {
    let pattern: Pattern
    do {
      pattern = try Pattern(
        written, extended: options.extendedRegex, ignoreCase: false, isPlainText: false)
    } catch {
      return fail(Messages.strict(.match(error)))
    }
    let (start, files) = (start(options), files(options))
    let places = OpenFile.status(of: folder) == nil ? [] : try index.places(in: folder)
    var found: [FoundGroup] = []
    var status: Int32 = 0
    for place in places where files?.contains(place.file) ?? true {
      do throws(DatabaseError) {
        found += try Patience.brief.wait { () throws(DatabaseError) in
          try HistoryStore(opening: place).groups(matching: pattern, since: start)
        }
      } catch {
        if error.isMissing { continue }
        status = fail(Messages.notSearched(place.file, error))
      }
    }
    // Those of one file are in order, also where times are the same.
    let order = found.indices.sorted { (found[$0].time, $0) > (found[$1].time, $1) }
    let lines = order.map { options.json ? JSONText.line(found[$0]) : Messages.text(found[$0]) }
    return max(print(lines), status)
  }

  // MARK: - Taking back

  private static func undo(
    _ name: [UInt8], in folder: [UInt8], _ index: HistoryIndex, _ options: Options
  ) throws(DatabaseError) -> Int32 {
    let runs = called(GroupNames.readable(name), try runs(in: folder, index, options))
    guard let newest = runs.first else { return fail(Messages.noRun(name)) }
    guard Set(runs.map(\.tag.shownName)).count == 1 else {
      return fail(Messages.ambiguousRun(name, runs.map(\.tag.identity)))
    }
    let files = files(options)
    let paths = Set(runs.flatMap(\.places).map(\.file)).filter { files?.contains($0) ?? true }
    let present = paths.filter { OpenFile.status(of: $0) != nil }
    for path in paths.subtracting(present).sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      _ = fail(Messages.fileOfRunIsGone, of: path)
    }
    if present.isEmpty { return 0 }
    var options = options
    options.fileNames = present.sorted { $0.lexicographicallyPrecedes($1) }
    (options.atomic, options.keepsHistory) = (true, true)
    options.inPlaceSuffix = options.inPlaceSuffix ?? []
    let undone = UndoneRun(
      identities: Set(runs.map(\.tag.identity)), title: newest.tag.shownName)
    do throws(FileError) {
      var run = StrictRun(options: options, script: try Script([.expression([])]), undoing: undone)
      let status = run.run()
      // Freeing texts and histories first would only cost time.
      return withExtendedLifetime(run) { exit(status) }
    } catch {
      return fail(Messages.unreadableScript(error))
    }
  }

  /// Those of some runs that have a name, or else the one with an identity, or those whose identity begins so.
  private static func called(_ name: String, _ runs: [IndexedRun]) -> [IndexedRun] {
    let named = runs.filter { $0.tag.name == name }
    if !named.isEmpty { return named }
    let exact = runs.filter { $0.tag.identity == name }
    if !exact.isEmpty || name.count < 4 { return exact }
    return runs.filter { $0.tag.identity.hasPrefix(name) }
  }
}
