import Differential
import Glibc
import Synchronization
import Testing

/// Runs cases of the table, and compares them with the model.
final class StrictChecker {
  private let sandbox = Sandbox()
  private var folder: String { sandbox.path }

  /// The state of a file on the disk.
  private struct State {
    var number: UInt64
    var time: Int
  }

  /// The modification time of all files before the run, in seconds.
  private static let timeBefore = 1_000_000_000

  /// Runs a case.
  ///
  /// - Returns: The differences from the model.
  func differences(in test: StrictCase) -> [String] {
    let model = RunModel(test, difference: Self.difference)
    let start = ModelDisk(test.files)
    Disk.remove(contentsOf: folder, keepingFolder: true)
    layOut(start)
    test.source.prepare(test.lines, in: sandbox)
    let hashes = test.files.names.enumerated().map { index, name in
      let isWrong = test.expectation == .wrongForLast && index == test.files.names.count - 1
      return Self.hash(of: isWrong ? "wrong" : start.read(name) ?? "")
    }
    let before = states()
    let result = test.source.launch(test.arguments(hashes: hashes), test.lines, in: sandbox)
    var differences: [String] = []
    func compare(_ what: String, _ found: String, _ expected: String) {
      if found != expected { differences.append("\(what): \(found)\n  expected: \(expected)") }
    }
    compare("status", "\(result.ending)", "\(Ending.exited(model.status))")
    compare("output", Self.shown(result.output), Self.shown(Array(model.output.utf8)))
    if !Self.matches(result.errors, model.errors) {
      compare("errors", Self.shown(result.errors), "\(model.errors)")
    }
    compare("files", listing(), listing(of: model.disk, hasScript: test.source.hasScriptFile))
    let after = states()
    for (name, state) in before {
      let number = start.files[start.resolved(name)]
      let isWritten = number.map {
        model.disk.files[model.disk.resolved(name)] != $0 || model.disk.written.contains($0)
      }
      let isSame = after[name].map { $0.number == state.number && $0.time == state.time } ?? false
      compare("\(name) is written", "\(!isSame)", "\(isWritten ?? false)")
    }
    if test.history == "on" {
      for name in Set(["f", "other"] + model.histories.keys) {
        guard let content = model.disk.read(name) else { continue }
        let place = model.disk.resolved(name)
        let revisions =
          model.histories[place]?.revisions ?? [
            .init(name: "Opened \(name)", lines: ModelText.lines(of: content))
          ]
        compare("history of \(name)", history(of: name), Self.expected(revisions, content: content))
      }
    }
    let kept = Disk.names(in: folder + "/.local/state/ued").filter { !$0.hasSuffix("-key") }
    if test.history != "on" { compare("histories", "\(kept)", "[]") }
    return differences
  }

  // MARK: - Files

  private func layOut(_ disk: ModelDisk) {
    var paths: [Int: String] = [:]
    for (name, number) in disk.files.sorted(by: { $0.key < $1.key }) {
      let path = folder + "/" + name
      if let first = paths[number] {
        link(first, path)
      } else {
        paths[number] = path
        sandbox[name] = Array((disk.contents[number] ?? "").utf8)
        let time = timespec(tv_sec: Self.timeBefore, tv_nsec: 0)
        utimensat(AT_FDCWD, path, [time, time], 0)
      }
    }
    for (name, target) in disk.links { symlink(target, folder + "/" + name) }
    for name in disk.folders { mkdir(folder + "/" + name, 0o755) }
  }

  private func states() -> [String: State] {
    var all: [String: State] = [:]
    for name in Disk.names(in: folder) {
      var status = stat()
      guard stat(folder + "/" + name, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
        continue
      }
      all[name] = State(number: UInt64(status.st_ino), time: status.st_mtim.tv_sec)
    }
    return all
  }

  private func listing() -> String {
    Disk.names(in: folder).filter { $0 != ".local" }.map { name in
      let path = folder + "/" + name
      var target = [CChar](repeating: 0, count: 100)
      let count = readlink(path, &target, target.count)
      if count > 0 {
        let bytes = target[..<count].map { UInt8(bitPattern: $0) }
        return "\(name) -> \(String(decoding: bytes, as: UTF8.self))"
      }
      if Disk.isFolder(path) { return "\(name)/" }
      return "\(name): \(Self.shown(sandbox[name] ?? []))"
    }.joined(separator: ", ")
  }

  private func listing(of disk: ModelDisk, hasScript: Bool) -> String {
    var all: [(String, String)] = disk.files.map { name, number in
      (name, "\(name): \(Self.shown(Array((disk.contents[number] ?? "").utf8)))")
    }
    all += disk.links.map { ($0, "\($0) -> \($1)") }
    all += disk.folders.map { ($0, "\($0)/") }
    if hasScript { all.append(("script", "script: \(Self.shown(sandbox["script"] ?? []))")) }
    return all.sorted { $0.0 < $1.0 }.map(\.1).joined(separator: ", ")
  }

  // MARK: - Running

  private func history(of name: String) -> String {
    let result = sandbox.launch(
      Program.underTest.path, ["-s", "--history", "-e", "history json", name], [])
    let lines = String(decoding: result.output, as: UTF8.self).split(separator: "\n")
    return lines.compactMap { try? ParsedJSON(Array($0.utf8)) }.map { revision in
      let name = revision["name"]?.text ?? revision["description"]?.text ?? "?"
      return "\(name)\(revision["saved"] == .bool(true) ? " (saved)" : "")"
    }.joined(separator: ", ")
  }

  private static func expected(_ revisions: [ModelText.Revision], content: String) -> String {
    let lines = ModelText.lines(of: content)
    var all = revisions
    let saved = all.lastIndex { $0.lines == lines } ?? all.count
    if saved == all.count {
      all.append(ModelText.Revision(name: "Changed outside ued", lines: lines))
    }
    return all.indices.map { "\(all[$0].name)\($0 == saved ? " (saved)" : "")" }
      .joined(separator: ", ")
  }

  // MARK: - Texts

  private static func shown(_ bytes: [UInt8]) -> String { "'\(Escapes.encode(bytes))'" }

  private static func matches(_ found: [UInt8], _ expected: [RunModel.ErrorLine]) -> Bool {
    let lines = String(decoding: found, as: UTF8.self).split(separator: "\n")
    if expected.first?.prefix == "" { return lines.first?.contains(expected[0].words) ?? false }
    return lines.count == expected.count
      && zip(lines, expected).allSatisfy { line, error in
        line.hasPrefix(error.prefix) && line.dropFirst(error.prefix.count).contains(error.words)
      }
  }

  private static let answers = Mutex<[String: String]>([:])

  /// The output of a shell command in a folder with the files `old` and `new`.
  private static func answer(_ command: String, old: String, new: String) -> String {
    answers.withLock { answers in
      let key = [command, old, new].joined(separator: "\0")
      if let answer = answers[key] { return answer }
      let sandbox = Sandbox()
      sandbox["old"] = Array(old.utf8)
      sandbox["new"] = Array(new.utf8)
      let answer = String(decoding: sandbox.run("\(command) || test $? = 1"), as: UTF8.self)
      answers[key] = answer
      return answer
    }
  }

  private static func difference(_ old: String?, _ new: String, _ name: String) -> String {
    let oldName = old == nil ? "/dev/null" : name
    return answer(
      "diff -u --label '\(oldName)' --label '\(name)' old new", old: old ?? "", new: new)
  }

  private static func hash(of text: String) -> String {
    String(answer("sha256sum <old", old: text, new: "").prefix(64))
  }
}
