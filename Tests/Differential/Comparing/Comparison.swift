/// A case run by GNU ed and by the program under test.
package struct Comparison: Sendable {
  package var test: Case
  package var oracle: RunResult
  package var subject: RunResult
  /// The aspects that differ: each is a fault.
  package var differences: [RunResult.Aspect]

  package init(
    _ test: Case, of program: Program, against oracle: Program = .oracle, by runner: CaseRunner
  ) {
    self.test = test
    self.oracle = runner.run(test, oracle)
    self.subject = runner.run(test, program)
    differences = self.oracle.differences(from: subject)
  }

  /// A key that small failing cases share when they probably have one cause: the differences, the
  /// options, and the command letters of the script.
  package var kind: String {
    let letters = Set("=!#acdeEfgGhHijklmnpPqQrstuvVwWxyz".utf8)
    let shape = test.scriptLines.map { line in
      let letter = line.first { letters.contains($0) }.map { String(UnicodeScalar($0)) } ?? ""
      return letter.replacing("v", with: "g").replacing("V", with: "G")
        + (line.last == 0x5C ? "\\" : "")
    }
    return "\(differences.map(\.rawValue)) \(test.arguments) \(shape)"
  }

  /// The script and, side by side, every difference.
  package var report: String {
    var text = ""
    func show(_ title: String, _ bytes: [UInt8]) {
      text += "  \(title): \(escaped(bytes))\n"
    }
    show("script", test.script)
    text += "  args: \(test.arguments)  env: \(test.environment)  stdin: \(test.standardInput)\n"
    if test.text != Array(Fixture.text.utf8) {
      text += "  f: \(test.text.map { "'\(escaped($0))'" } ?? "missing")\n"
    }
    for aspect in differences {
      switch aspect {
      case .ending: text += "  ed ended \(oracle.ending), ued \(subject.ending)\n"
      case .output:
        show("ed out ", oracle.output)
        show("ued out", subject.output)
      case .errors:
        show("ed err ", oracle.errors)
        show("ued err", subject.errors)
      case .files:
        for file in oracle.files where !subject.files.contains(file) {
          text += "  ed left  \(describe(file))\n"
        }
        for file in subject.files where !oracle.files.contains(file) {
          text += "  ued left \(describe(file))\n"
        }
      }
    }
    return text
  }

  private func describe(_ file: Entry) -> String {
    "\(file.name) mode \(String(file.mode, radix: 8)) links \(file.linkCount): \(escaped(file.content))"
  }

  private func escaped(_ bytes: [UInt8]) -> String {
    let most = 1500
    return Escapes.encode(Array(bytes.prefix(most))) + (bytes.count > most ? "…" : "")
  }
}

/// Bytes as the argument of `printf %b`, and back.
package enum Escapes {
  package static func encode(_ bytes: [UInt8]) -> String {
    var text = ""
    for byte in bytes {
      switch byte {
      case 0x0A: text += "\\n"
      case 0x09: text += "\\t"
      case 0x0D: text += "\\r"
      case 0x5C: text += "\\\\"
      case 0x20...0x7E: text.append(Character(UnicodeScalar(byte)))
      default:
        let digits = String(byte, radix: 8)
        text += "\\0" + String(repeating: "0", count: 3 - digits.count) + digits
      }
    }
    return text
  }

  package static func decode(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == 0x5C, let escape = rest.popFirst() else {
        bytes.append(byte)
        continue
      }
      switch escape {
      case UInt8(ascii: "n"): bytes.append(0x0A)
      case UInt8(ascii: "t"): bytes.append(0x09)
      case UInt8(ascii: "r"): bytes.append(0x0D)
      case UInt8(ascii: "a"): bytes.append(0x07)
      case 0x5C: bytes.append(0x5C)
      case UInt8(ascii: "x"): bytes.append(number(&rest, radix: 16, atMost: 2))
      case UInt8(ascii: "0"): bytes.append(number(&rest, radix: 8, atMost: 3))
      default: bytes += [0x5C, escape]
      }
    }
    return bytes
  }

  private static func number(_ rest: inout ArraySlice<UInt8>, radix: Int, atMost: Int) -> UInt8 {
    var value = 0
    for _ in 0..<atMost {
      guard let first = rest.first, let digit = Character(UnicodeScalar(first)).hexDigitValue,
        digit < radix
      else { break }
      value = value * radix + digit
      rest.removeFirst()
    }
    return UInt8(truncatingIfNeeded: value)
  }
}
