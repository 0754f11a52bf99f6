import Differential
import Glibc

/// What must hold at the end of a session, for a ued that nothing goes wrong for.
extension SimulatedSession {
  /// Every file can be changed, every history has what was acknowledged, and nothing else lies about.
  func checkEnd() throws(Violation) {
    // What a killed run has left, the next one removes: where no file is left, that of a new one.
    let known = Self.names.filter { files[$0] != nil || ledgers[$0] != nil }
    for name in known.isEmpty ? Self.names.prefix(1) : known[...] { try checkEnd(of: name) }
    let expected = Set(Self.names.flatMap { [$0, $0 + ".link", $0 + ".bak"] })
    let stray = Disk.names(in: work).first {
      !expected.contains($0) && !(mayKeepOldTexts && $0.hasPrefix(".ued-old-"))
    }
    if let stray {
      throw Violation(what: "\(stray) lies about")
    }
    for name in Disk.names(in: folder.path + "/state/ued") {
      if name.contains("damaged") { throw Violation(what: "a history was damaged: \(name)") }
    }
    if random.chance(10) {
      let (_, errors, ending) = try run(["--log"], nil)
      if ending != .exited(0) || !errors.isEmpty { throw Violation(what: "--log: \(errors)") }
    }
  }

  private func checkEnd(of name: String) throws(Violation) {
    let added = token()
    let old = SimulatedText(files[name] ?? [])
    let words = [
      "-s", "--history", "--create", "-e", "$a", "-e", String(decoding: added, as: UTF8.self),
      "-e", ".", "-e", "w", "-e", "history git", name,
    ]
    note("ued \(words.joined(separator: " "))")
    let (output, errors, ending) = try run(words, nil)
    if ending != .exited(0) { throw Violation(what: "at the end: \(ending): \(errors)") }
    files[name] = old.saved + added + [0x0A]
    try checkFiles()
    if errors.contains("not kept") || errors.contains("damaged") {
      throw Violation(what: "at the end: \(errors)")
    }
    guard let stored = StoredRevisions(output) else {
      throw Violation(what: "the history of \(name) can't be read: \(shown(output))")
    }
    if stored.texts[stored.current] != files[name] {
      throw Violation(what: "\(name) and its history do not agree")
    }
    if let fault = ledgers[name]?.fault(in: stored) {
      throw Violation(what: "the history of \(name): \(fault)")
    }
  }
}
