import Glibc

/// A program to run cases with.
package struct Program: Sendable {
  package var path: String

  package init(_ path: String) {
    self.path = path
  }

  package static let oracle = Program("/usr/bin/ed")

  /// The program named by `UED`, or `ued` in the folder of the running program.
  package static let ued = Program(
    getenv("UED").map { String(cString: $0) } ?? Disk.programFolder + "/ued")

  /// Standard error with the program's name and path replaced, so that two programs can be compared.
  fileprivate func normalised(_ errors: [UInt8]) -> [UInt8] {
    guard !errors.isEmpty else { return errors }
    let name = path.split(separator: "/").last.map(String.init) ?? path
    var lines = errors.split(separator: 0x0A, omittingEmptySubsequences: false).map { Array($0) }
    for index in lines.indices {
      let line = String(decoding: lines[index], as: UTF8.self)
      guard Array(line.utf8) == lines[index] else { continue }
      let parts = line.split(separator: path, omittingEmptySubsequences: false)
      var plain = parts.joined(separator: "ED").split(
        separator: "'\(name) --help'", omittingEmptySubsequences: false
      ).joined(separator: "'ED --help'")
      for prefix in ["\(name): ", "ued: "] where plain.hasPrefix(prefix) {
        plain = "ed: " + plain.dropFirst(prefix.count)
      }
      lines[index] = Array(plain.utf8)
    }
    return Array(lines.joined(separator: [0x0A]))
  }
}

/// Runs cases in a separate folder, which is set up afresh for each.
///
/// Both programs run at the same path, so that they print the same path.
package final class CaseRunner {
  private let root = TemporaryFolder()
  private let directory: String

  package init() {
    directory = root.path + "/w"
    mkdir(directory, 0o755)
  }

  package func run(_ test: Case, _ program: Program) -> RunResult {
    layOut(test)
    let process = Process(
      program.path, test.arguments,
      environment: ["PATH=/usr/bin:/bin", "HOME=\(directory)"]
        + Locales.added(to: test.environment), directory: directory)
    let input: Process.Input
    switch test.standardInput {
    case .pipe: input = .pipe(test.script)
    case .slow: input = .slowPipe(test.script)
    case .null: input = .file("/dev/null")
    case .file:
      root["script"] = test.script
      input = .file(root.path + "/script")
    }
    do throws(Process.Failure) {
      let result = try process.run(input)
      return RunResult(
        output: result.output, errors: program.normalised(result.errors), ending: result.ending,
        files: takeAway())
    } catch {
      fatalError("\(error.what): \(String(cString: strerror(error.code)))")
    }
  }

  private func layOut(_ test: Case) {
    for file in Fixture.files { Disk.write(directory + "/" + file.name, file.bytes) }
    mkdir(directory + "/" + Fixture.folder, 0o755)
    if let text = test.text { Disk.write(directory + "/f", text) }
  }

  /// Lists everything in the folder, and empties it.
  private func takeAway() -> [Entry] {
    let entries = entries(in: "")
    Disk.remove(contentsOf: directory, keepingFolder: true)
    return entries
  }

  private func entries(in prefix: String) -> [Entry] {
    var found: [Entry] = []
    for name in Disk.names(in: directory + "/" + prefix) {
      let path = directory + "/" + prefix + name
      var status = stat()
      guard lstat(path, &status) == 0 else { continue }
      var entry = Entry(
        name: prefix + name, mode: status.st_mode, linkCount: Int(status.st_nlink), content: [])
      switch status.st_mode & S_IFMT {
      case S_IFREG: entry.content = Disk.read(path) ?? []
      case S_IFLNK:
        var target = [CChar](repeating: 0, count: 4096)
        let count = readlink(path, &target, target.count)
        entry.content = target[..<max(0, count)].map { UInt8(bitPattern: $0) }
      default: break
      }
      found.append(entry)
      if status.st_mode & S_IFMT == S_IFDIR { found += entries(in: prefix + name + "/") }
    }
    return found
  }
}
