import Foundation

/// A copy of the package that contains all chosen mutations; a variable of the environment activates one.
struct Scratch {
  static let folder = FileManager.default.currentDirectoryPath + "/.build/mutants"
  /// The text files below `Sources`, by path in the package.
  static let sources = texts(below: "Sources")
  private static let files = FileManager.default

  /// The mutants that compile, by number.
  private(set) var mutants: [Int: Mutation]

  /// Builds the copy without the mutations that do not compile.
  init(_ mutations: [Mutation]) throws {
    mutants = Dictionary(uniqueKeysWithValues: mutations.enumerated().map { ($0, $1) })
    for name in try Self.files.contentsOfDirectory(atPath: ".")
    where !name.hasPrefix(".") && !["Sources", "Package.swift"].contains(name) {
      try? Self.files.createSymbolicLink(
        atPath: "\(Self.folder)/\(name)", withDestinationPath: "../../\(name)")
    }
    let manifest = try String(contentsOfFile: "Package.swift", encoding: .utf8)
    try write(
      "Package.swift", manifest.replacing("Warnings(as: .error)", with: "Warnings(as: .warning)"))
    repeat { try writeSources() } while try !build()
  }

  private static func texts(below folder: String) -> [String: String] {
    let paths = files.enumerator(atPath: folder)?.compactMap { "Sources/\($0)" } ?? []
    let root = folder.dropLast("Sources".count)
    return paths.reduce(into: [:]) {
      $0[$1] = try? String(contentsOfFile: root + $1, encoding: .utf8)
    }
  }

  /// Writes a file of the copy if it changes; the others need not be compiled again.
  private func write(_ path: String, _ text: String) throws {
    let path = "\(Self.folder)/\(path)"
    if Self.files.contents(atPath: path) == Data(text.utf8) { return }
    try Self.files.createDirectory(
      atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    try text.write(toFile: path, atomically: false, encoding: .utf8)
  }

  private func writeSources() throws {
    for path in Self.sources.keys { try write(path, mutated(path).text) }
    let switches = ["TextBuffer", "TextBufferModels", "TextLines", "ued"].map {
      "Sources/\($0)/Mutant.swift"
    }
    for path in switches { try write(path, Self.mutantSwitch) }
    for path in Self.texts(below: Self.folder + "/Sources").keys
    where Self.sources[path] == nil && !switches.contains(path) {
      try Self.files.removeItem(atPath: "\(Self.folder)/\(path)")
    }
  }

  /// A source with its mutants, and the last line of each there.
  private func mutated(_ path: String) -> (text: String, lines: [(mutant: Int, last: Int)]) {
    let source = Array((Self.sources[path] ?? "").utf8)
    var (text, end, lines): ([UInt8], Int, [(Int, Int)]) = ([], 0, [])
    for (number, mutant) in mutants.filter({ $0.value.file == path })
      .sorted(by: { $0.value.range.lowerBound < $1.value.range.lowerBound })
    {
      text += source[end..<mutant.range.lowerBound]
      text += mutant.code.replacing("#", with: "\(number)", maxReplacements: 1).utf8
      end = mutant.range.upperBound
      lines.append((number, text.count { $0 == 0x0A } + 1))
    }
    return (String(decoding: text + source[end...], as: UTF8.self), lines)
  }

  /// Builds the copy with its tests.
  ///
  /// - Returns: False if mutants with errors had to be dropped.
  private mutating func build() throws -> Bool {
    let result = try shell(
      """
      swift build --package-path '\(Self.folder)' --build-tests \
      -Xswiftc -gnone -Xswiftc -continue-building-after-errors 2>&1
      """)
    if result.status == 0 { return true }
    var failing: Set<Int> = []
    for error in result.output.matches(of: #/mutants/(Sources/[^:\n]*):([0-9]+):[0-9]+: error/#) {
      let (lines, line) = (mutated(String(error.1)).lines, Int(error.2) ?? 0)
      // An error behind the last mutant is an effect of it, such as a use before initialization.
      if let cause = lines.first(where: { $0.last >= line }) ?? lines.last {
        failing.insert(cause.mutant)
      }
    }
    print("\(failing.count) of \(mutants.count) mutants do not compile")
    for mutant in failing.compactMap({ mutants[$0] }) {
      FileHandle.standardError.write(Data("\(mutant.diff)\n\n".utf8))
    }
    if failing.isEmpty { fatalError(String(result.output.suffix(4000))) }
    mutants = mutants.filter { !failing.contains($0.key) }
    return false
  }

  /// Decides whether a mutant is active, and records that it was reached if the folder of the run has a file for it.
  private static let mutantSwitch = """
    import Glibc

    enum Mutant {
      private static let active = getenv("UED_MUTANT").flatMap { Int(String(cString: $0)) } ?? -1
      nonisolated(unsafe) private static let reached: UnsafeMutableRawPointer? = {
        guard let folder = getenv("UED_MUTANT_FOLDER") else { return nil }
        let file = open(String(cString: folder) + "/reached", O_RDWR | O_CLOEXEC)
        defer { close(file) }
        var status = stat()
        guard file >= 0, fstat(file, &status) == 0 else { return nil }
        let bytes = mmap(nil, Int(status.st_size), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
        return bytes == MAP_FAILED ? nil : bytes
      }()

      static func on(_ number: Int) -> Bool {
        reached?.storeBytes(of: 1, toByteOffset: number, as: UInt8.self)
        return number == active
      }
    }

    """
}

/// Runs a command of bash, with arguments and variables. Several threads can call the function at
/// once.
func shell(
  _ command: String, _ arguments: [String] = [], _ environment: [String: String] = [:]
) throws -> (output: String, status: Int32) {
  var (name, process, status) = (Array("/dev/shm/ued-mutants.XXXXXX".utf8CString), pid_t(), Int32())
  let file = mkstemp(&name)
  _ = fcntl(file, F_SETFD, FD_CLOEXEC)
  unlink(name)
  defer { close(file) }
  let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }
  var words = (["/bin/bash", "-c", command, "bash"] + arguments).map { strdup($0) } + [nil]
  var settings = variables.map { strdup("\($0)=\($1)") } + [nil]
  defer { for word in words + settings { free(word) } }
  var actions = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&actions)
  defer { posix_spawn_file_actions_destroy(&actions) }
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDWR, 0)
  posix_spawn_file_actions_adddup2(&actions, file, 1)
  posix_spawn_file_actions_adddup2(&actions, 0, 2)
  guard file >= 0, posix_spawn(&process, "/bin/bash", &actions, nil, &words, &settings) == 0 else {
    throw CocoaError(.executableLoad)
  }
  while waitpid(process, &status, 0) < 0 && errno == EINTR {}
  let output = FileHandle(fileDescriptor: file)
  try output.seek(toOffset: 0)
  let text = String(decoding: try output.readToEnd() ?? Data(), as: UTF8.self)
  return (text, status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + (status & 0x7F))
}
