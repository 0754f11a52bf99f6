import TextBuffer
import TextLines

/// A value in an answer to a program. ued-json(5) describes all objects.
enum JSONValue {
  case null
  case bool(Bool)
  case int(Int)
  /// Bytes that are not UTF-8 become `{"base64":"…"}`.
  case string([UInt8])
  /// The lines of a text, as an array of strings.
  case lines([UInt8])
  case array([JSONValue])
  case object([JSONMember])
  /// Leaves a member out of its object.
  case absent

  static func int(_ value: Int?) -> JSONValue { value.map { .int($0) } ?? .null }
  static func string(_ text: String?) -> JSONValue { text.map { .string(Array($0.utf8)) } ?? .null }
  static func strings(_ texts: [[UInt8]]) -> JSONValue { .array(texts.map { .string($0) }) }

  /// A time in the format of RFC 3339.
  static func time(_ time: Double?) -> JSONValue { .string(time.map(SystemClock.standardText)) }

  static func hash(of text: PieceTable?) -> JSONValue {
    .string(text.map { SHA256Hash(of: $0).description })
  }

  /// A member that is only there if it has a value.
  static func present<Value>(_ value: Value?, _ make: (Value) -> JSONValue) -> JSONValue {
    value.map(make) ?? .absent
  }

  /// The value as JSON, without a newline.
  var bytes: [UInt8] {
    var json = JSONText()
    json.append(self)
    return json.bytes
  }
}

typealias JSONMember = (name: StaticString, value: JSONValue)

// MARK: - Answers

extension [JSONMember] {
  /// An error in a text.
  init(_ error: EditorError, _ message: [UInt8], in text: PieceTable?) {
    let entry = ErrorEntry(error)
    self = [("error", .string(entry.code.rawValue)), ("message", .string(message))]
    if let text, let hint = entry.hint { append(("hint", JSONValue(hint, of: text))) }
  }

  init(_ failure: RunFailure) {
    self.init(failure.error, Messages.reason(failure), in: failure.text)
    if !failure.place.isEmpty { append(("script", .string(failure.place))) }
  }

  /// The end of an answer, after the current line.
  init(endOf state: TextState) {
    self = [
      ("lines", .int(state.lastLine.value)), ("revision", .int(state.revision)),
      ("modified", .bool(state.isModified)),
    ]
  }

  /// A file of a run, to which a difference and a failure may be added.
  init(_ file: TouchedFile) {
    let hunks = LineDifference.affordableHunks(
      from: file.before ?? PieceTable(), to: file.after ?? PieceTable())
    self = [
      ("path", .string(file.path)), ("before", .hash(of: file.before)),
      ("after", .hash(of: file.after)), ("written", .bool(file.isWritten)),
      ("lines_added", .int(hunks.reduce(0) { $0 + $1.new.count })),
      ("lines_removed", .int(hunks.reduce(0) { $0 + $1.old.count })),
      ("revision", .int(file.revision)),
    ]
  }
}

extension JSONValue {
  /// A hint, without lines that the text does not have.
  init(_ hint: ErrorHint, of text: PieceTable) {
    let lines = hint.lines.filter { $0 > .zero && $0.value <= text.newlineCount }
    self = .object([
      (
        "lines",
        .array(
          lines.map { .object([("number", .int($0.value)), ("text", .string(text.line($0)))]) })
      ),
      ("revisions", .array(hint.revisions.map { .int($0) })),
      ("difference", .present(hint.difference) { JSONValue($0) }),
    ])
  }

  private init(_ mismatch: LineMismatch) {
    let kind =
      switch mismatch.kind {
      case .leadingBlanks: "leading-blanks"
      case .trailingBlanks: "trailing-blanks"
      case .blanks: "blanks"
      case .tabs: "tabs"
      case .carriageReturn: "carriage-return"
      case .quotes: "quotes"
      case .characters: "characters"
      case .word: "word"
      case .text: "text"
      case .missing: "missing"
      case .surplus: "surplus"
      }
    self = .object([
      ("line", .int(mismatch.line.value)), ("kind", .string(kind)),
      ("expected", .present(mismatch.expected) { .string($0) }),
      ("found", .present(mismatch.found) { .string($0) }),
    ])
  }

  /// The differences that `replace loose` ignored at a place.
  init(_ place: OverlookedDifferences) {
    self = .object([
      ("first", .int(place.lines.first.value)), ("last", .int(place.lines.last.value)),
      ("indentation", .int(place.indentationCount)),
      ("trailing_blanks", .int(place.trailingCount)), ("typography", .int(place.typographicCount)),
    ])
  }

  /// The last answer of a task on histories, or of a run that could not begin. The first failure is
  /// its error; further failures are notices.
  static func end(status: Int32, _ failures: [RunFailure]) -> JSONValue {
    var members: [JSONMember] = [("end", .bool(true)), ("status", .int(Int(status)))]
    if let first = failures.first { members += .init(first.error, Messages.named(first), in: nil) }
    if failures.count > 1 {
      members.append(("notices", .strings(failures.dropFirst().map(Messages.named))))
    }
    return .object(members + [("files", .array([]))])
  }
}

// MARK: - Lists

extension JSONValue {
  /// A run over histories.
  init(_ run: IndexedRun) {
    self = .object([
      ("run", .string(run.tag.identity)), ("name", .string(run.tag.name)),
      ("time", .time(run.tag.time)), ("files", .strings(run.places.map(\.file))),
      ("taken_back_by", .array(run.undoers.map { .string($0.identity) })),
    ])
  }

  /// A group found by a search.
  init(_ group: FoundGroup) {
    self = .object([
      ("file", .string(group.file)), ("revision", .int(group.id)), ("time", .time(group.time)),
      ("description", .string(group.title)), ("run", .string(group.run?.identity)),
      ("run_name", .string(group.run?.name)),
    ])
  }

  /// A line in a listing, with the group that last touched it.
  init(_ index: Int, of listing: BlameListing) {
    let id = listing.groups[index]
    let origin = listing.origins[id]
    self = .object([
      ("line", .int(listing.lines.first.value + index)), ("id", origin == nil ? .null : .int(id)),
      ("time", .time(origin?.time)), ("run", .int(origin?.run)),
      ("run_name", .string(origin?.runName)),
    ])
  }

  /// A revision in a history.
  init(_ row: HistoryRow, _ fileName: [UInt8]) {
    self = .object([
      ("id", .int(row.id)), ("parent", .int(row.parent)), ("name", .string(row.name)),
      ("description", .string(row.description)), ("time", .time(row.time)),
      ("current", .bool(row.isCurrent)), ("saved", .bool(row.isSaved)),
      ("lines_added", .int(row.lineCounts.added)), ("lines_removed", .int(row.lineCounts.removed)),
      ("run", .int(row.run)), ("run_name", .string(row.runName)),
      ("file", fileName.isEmpty ? .null : .string(fileName)),
    ])
  }
}
