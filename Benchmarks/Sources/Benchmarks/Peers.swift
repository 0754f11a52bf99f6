import Glibc

/// ued compared with the fastest programs that replace and print, on eight kinds of patterns.
///
/// All programs write a new file; the bytes of all must be the same.
enum Peers {
  /// A pattern as basic and as extended expression, and its replacement with `\1` for groups and `\0` for all.
  private struct Pattern {
    var name: String
    var basic: String
    var extended: String
    var replacement: String
    var ignoresCase = false

  }

  static func run(lines: Int) {
    let program = pathOfUed()
    let inputs = Inputs()
    defer { if environment("KEEP") == nil { inputs.remove() } }
    chdir(inputs.folder)
    inputs.writeText("big", lines: lines)
    var table = Table(limit: 60)
    let only = environment("ONLY")
    if only.map({ "patch".contains($0) }) ?? true { table.measure(patch(program, inputs)) }
    for pattern in patterns where only.map({ pattern.name.contains($0) }) ?? true {
      table.measure(replace(pattern, program, inputs))
      table.measure(print(pattern, program, inputs))
    }
    Swift.print("the text has \(inputs.byteCount("big") / 1_000_000) MB")
    Swift.print(table.missed == 0 ? "all limits are met" : "\(table.missed) limits are missed")
  }

  /// 100,000 hunks, the last one first, for a list of packages of 60 MB.
  private static func patch(_ ued: String, _ inputs: Inputs) -> Workload {
    let stanzas = 114_000
    inputs.write("Packages", count: stanzas) { number, bytes in
      bytes += stanza(number).utf8
    }
    var random = SeededGenerator(7)
    let chosen = (0..<stanzas).shuffled(using: &random).prefix(100_000).sorted(by: >)
    inputs.write("hunks", count: chosen.count) { index, bytes in
      let line = chosen[index] * stanzaLines + Int.random(in: 2...6, using: &random)
      let hunk =
        switch Int.random(in: 0...3, using: &random) {
        case 0: "\(line)d"
        case 1: "\(line)c\nVersion: 9.\(line % 97)-1\n."
        case 2: "\(line),\(line + 3)c\nSize: \(line)\nSection: new\n."
        default: "\(line)a\nTag: role::\(line)\nPhased-Update-Percentage: 20\n."
        }
      bytes += hunk.utf8
    }
    inputs.writeScript("end.ed", ["w new", "Q"])
    let new = inputs.path("new")
    let hunks = "cat hunks end.ed | \(ued) -s Packages"
    return Workload(
      name: "100,000 hunks of diff -e",
      runs: [
        ("ued", Run(arguments: ["/bin/sh", "-c", hunks]), nil),
        (
          "rred",
          Run(
            arguments: ["/usr/lib/apt/methods/rred", "-f", "hunks"],
            input: inputs.path("Packages"), output: new), 3
        ),
        (
          "patch",
          Run(arguments: ["/usr/bin/patch", "-s", "-e", "-o", "new", "Packages", "hunks"]), 1
        ),
      ], rounds: 5)
  }

  private static let stanzaLines = 12

  /// Of a list of packages, as long as they are on average.
  private static func stanza(_ number: Int) -> String {
    let hash = String(UInt64(number + 1) &* 0x9E37_79B9_7F4A_7C15, radix: 16)
    return """
      Package: lib\(hash)
      Version: \(number % 10).\(number % 83)-\(number % 7)
      Installed-Size: \(number % 9_973)
      Maintainer: Somebody <somebody\(number % 4_001)@example.org>
      Architecture: amd64
      Depends: libc6 (>= 2.\(number % 37)), lib\(hash.prefix(5))1, lib\(hash.suffix(6))-common (= \(number % 11).2), perl
      Description: programs and data of the package with the number \(number)
      Section: net
      Filename: pool/main/l/lib\(hash)/lib\(hash)_\(number % 10).\(number % 83)_amd64.deb
      Size: \(number * 37 % 9_999_991)
      SHA256: \(hash)\(hash)\(hash)\(hash)

      """
  }

  private static var patterns: [Pattern] {
    [
      Pattern(name: "literal", basic: "bean", extended: "bean", replacement: "XY"),
      Pattern(
        name: "class run", basic: "[aeiou]\\{3\\}", extended: "[aeiou]{3}", replacement: "<\\0>"),
      Pattern(
        name: "two groups", basic: "\\([a-z]*\\) \\(st[a-z]*\\)", extended: "([a-z]*) (st[a-z]*)",
        replacement: "\\2 \\1"),
      alternation("4 words", ["beanz", "quiol", "stond", "fanz"]),
      alternation("40 words", fortyWords),
      Pattern(
        name: "ignoring case", basic: "QUaN", extended: "QUaN", replacement: "XY", ignoresCase: true
      ),
      Pattern(name: "anchored", basic: "^st[a-z]*", extended: "^st[a-z]*", replacement: "<\\0>"),
      Pattern(
        name: "between", basic: "[aeiou]\\{3\\}.*z", extended: "[aeiou]{3}.*z",
        replacement: "<\\0>"),
    ]
  }

  /// None begins with another, so that the first and the longest one are the same.
  private static var fortyWords: [String] {
    let starts = ["be", "cea", "dio", "fa", "gan", "hu", "lio", "mer", "nea", "po"]
    let ends = ["nd", "z", "st", "lt"]
    return starts.flatMap { start in ends.map { start + $0 } }
  }

  private static func alternation(_ name: String, _ words: [String]) -> Pattern {
    Pattern(
      name: name, basic: words.joined(separator: "\\|"),
      extended: words.joined(separator: "|"), replacement: "XY")
  }

  private static func replace(_ pattern: Pattern, _ ued: String, _ inputs: Inputs) -> Workload {
    let (flag, new) = (pattern.ignoresCase ? "i" : "", inputs.path("new"))
    let dollars = pattern.replacement.split(separator: "\\", omittingEmptySubsequences: false)
      .enumerated().map { $0 == 0 ? "\($1)" : "${\($1.prefix(1))}\($1.dropFirst())" }.joined()
    let ampersand = pattern.replacement.replacing("\\0", with: "&")
    inputs.writeScript(
      "replace.ed", [",s/\(pattern.basic)/\(ampersand)/g" + flag.uppercased(), "w new", "Q"])
    let perl = dollars.replacing("${0}", with: "$&")
    let sd =
      ["/usr/bin/sd"] + (pattern.ignoresCase ? ["-f", "i"] : []) + [pattern.extended, dollars]
    let rg = ["/usr/bin/rg", "--no-config", "-N", "--passthru"]
    return Workload(
      name: "replace, \(pattern.name)",
      runs: [
        ("ued", Run(arguments: [ued, "-s", "big"], input: inputs.path("replace.ed")), nil),
        ("sd", Run(arguments: sd, input: inputs.path("big"), output: new), 1),
        (
          "rg",
          Run(
            arguments: rg + (pattern.ignoresCase ? ["-i"] : [])
              + ["-r", dollars, "-e", pattern.extended, "big"], output: new), 1
        ),
        (
          "perl",
          Run(
            arguments: ["/usr/bin/perl", "-pe", "s/\(pattern.extended)/\(perl)/g\(flag)", "big"],
            output: new), 1
        ),
        (
          "sed",
          Run(
            arguments: [
              "/usr/bin/sed", "-E", "s/\(pattern.extended)/\(ampersand)/g\(flag)", "big",
            ],
            output: new), 1
        ),
        (
          "vim",
          Run(arguments: [
            "/usr/bin/vim", "-es", "-u", "NONE", "-i", "NONE",
            "-c", "%s/\\v\(pattern.extended)/\(pattern.replacement)/g\(flag)", "-c", "w! new",
            "-c", "qa!", "big",
          ]), 1
        ),
      ], rounds: 5)
  }

  private static func print(_ pattern: Pattern, _ ued: String, _ inputs: Inputs) -> Workload {
    let (flags, new) = (pattern.ignoresCase ? ["-i"] : [], inputs.path("new"))
    inputs.writeScript(
      "print.ed", ["g/\(pattern.basic)/" + (pattern.ignoresCase ? "Ip" : "p"), "Q"])
    return Workload(
      name: "print, \(pattern.name)",
      runs: [
        (
          "ued",
          Run(arguments: [ued, "-s", "big"], input: inputs.path("print.ed"), output: new), nil
        ),
        (
          "rg",
          Run(
            arguments: ["/usr/bin/rg", "--no-config", "-N"] + flags + [
              "-e", pattern.extended, "big",
            ],
            output: new), 1
        ),
        (
          "grep",
          Run(
            arguments: ["/usr/bin/grep", "-E"] + flags + ["-e", pattern.extended, "big"],
            output: new), 1
        ),
      ], rounds: 5)
  }
}
