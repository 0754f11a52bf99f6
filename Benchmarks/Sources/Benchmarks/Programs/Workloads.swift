/// All that is measured, for texts of two sizes.
struct Workloads {
  /// How many lines the texts have: all of it, that of the globals, that of the moves.
  let (large, medium, small): (Int, Int, Int)
  /// How many lines a script has.
  let commands: Int

  static let full = Workloads(
    large: 2_000_000, medium: 400_000, small: 50_000, commands: 1_000_000)
  static let quick = Workloads(
    large: 200_000, medium: 100_000, small: 20_000, commands: 100_000)

  private static let slow = Workload.Peer(program: .ed, atMost: 0.02)

  var all: [Workload] { [start] + wholeText + globals + globalsInUTF8 + scripts }

  private var start: Workload {
    Workload(
      name: "start up, run q, exit", script: .text("q\n"),
      peers: [.init(program: .ed, atMost: 2), .init(program: .vim("q\n"))])
  }

  private var wholeText: [Workload] {
    [
      Workload(
        name: "load \(shown(large)) lines and =", lines: large, script: .text("=\n"), prints: true,
        peakAtMost: 1.15,
        peers: [
          .init(program: .ed, atMost: 0.2), .init(program: .wc, atMost: 4),
          .init(program: .vim("echo line('$')\nq!\n")),
        ]),
      Workload(
        name: "load and write to a new file", lines: large, script: .text("w out\n"),
        peers: [
          .init(program: .ed, atMost: 0.35), .init(program: .sed("")),
          .init(program: .vim("w! out\nq!\n")),
        ]),
      Workload(
        name: "the same, replacing a file (synced)", lines: large, script: .text("w out\n"),
        replaces: true, peers: [.init(program: .ed), .init(program: .vim("w! out\nq!\n"))]),
      Workload(
        name: ",s/an/XY/g and write", lines: large, script: .text(",s/an/XY/g\nw out\n"),
        peakAtMost: 2.3,
        peers: [
          .init(program: .ed, atMost: 0.25), .init(program: .sed("s/an/XY/g"), atMost: 0.9),
          .init(program: .vim("%s/an/XY/g\nw! out\nq!\n")),
        ]),
      Workload(
        name: ",s/[aeiou]\\([a-z]*\\)z/<\\1>/ and write", lines: large,
        script: .text(",s/[aeiou]\\([a-z]*\\)z/<\\1>/\nw out\n"),
        peers: [
          .init(program: .ed, atMost: 0.25),
          .init(program: .sed("s/[aeiou]\\([a-z]*\\)z/<\\1>/"), atMost: 0.9),
          .init(program: .vim("%s/[aeiou]\\([a-z]*\\)z/<\\1>/\nw! out\nq!\n")),
        ]),
      Workload(
        name: ",s/an/XY/g, u, write", lines: large, script: .text(",s/an/XY/g\nu\nw out\n"),
        peers: [
          .init(program: .ed, atMost: 0.25),
          .init(program: .vim("set ul=1000\n%s/an/XY/g\nu\nw! out\nq!\n")),
        ]),
      Workload(
        name: ",p to a file", lines: large, script: .text(",p\n"), prints: true,
        peers: [.init(program: .ed, atMost: 0.25), .init(program: .sed(""))]),
      Workload(
        name: ",j and write", lines: large, script: .text(",j\nw out\n"),
        peers: [.init(program: .ed, atMost: 0.4), .init(program: .vim("%j!\nw! out\nq!\n"))]),
    ]
  }

  private var globals: [Workload] {
    [
      Workload(
        name: "g/qu/d and write", lines: medium, script: .text("g/qu/d\nw out\n"),
        peers: [
          Self.slow, .init(program: .sed("/qu/d"), atMost: 0.9),
          .init(program: .vim("g/qu/d\nw! out\nq!\n")),
        ]),
      Workload(
        name: "g/qu/s/e/E/ and write", lines: medium, script: .text("g/qu/s/e/E/\nw out\n"),
        peers: [
          Self.slow, .init(program: .sed("/qu/s/e/E/")),
          .init(program: .vim("g/qu/s/e/E/e\nw! out\nq!\n")),
        ]),
      Workload(
        name: "g/^/m0 and write (\(shown(small)))", lines: small, script: .text("g/^/m0\nw out\n"),
        peers: [Self.slow, .init(program: .vim("g/^/m0\nw! out\nq!\n"))]),
      Workload(
        name: "20,000 edits at random lines", lines: medium,
        script: .made { [medium] file in
          Self.randomEdits(20_000, lines: medium, into: &file)
          file.append("w out\nq\n")
        }, peers: [Self.slow]),
    ]
  }

  private var globalsInUTF8: [Workload] {
    globals[..<3].map { global in
      var global = global
      global.name = global.name.replacing(" and write", with: ", C.UTF-8")
      global.locale = "C.UTF-8"
      global.peers = [.init(program: .uedInC, atMost: 1.3)]
      return global
    }
  }

  private var scripts: [Workload] {
    let script = Workload.Script.made { [commands] file in
      Self.commands(commands, lines: 1000, into: &file)
    }
    return [
      Workload(
        name: "\(shown(commands)) commands from a file", lines: 1000, script: script, prints: true,
        peers: [.init(program: .ed, atMost: 0.5)]),
      Workload(
        name: "\(shown(commands)) commands from a pipe", lines: 1000, script: script, prints: true,
        readsPipe: true, peers: [.init(program: .ed, atMost: 1)]),
    ]
  }

  /// Substitutions at random lines.
  static func randomEdits(_ count: Int, lines: Int, into file: inout FileMaker) {
    var generator = SeededGenerator(5)
    for _ in 0..<count { file.append("\(1 + generator.next() % UInt64(lines))s/$/x/\n") }
  }

  /// Commands of several kinds that keep the number of lines, each in a line.
  private static func commands(_ count: Int, lines: Int, into file: inout FileMaker) {
    var generator = SeededGenerator(6)
    for index in 0..<count {
      let line = 2 + generator.next() % UInt64(lines - 3)
      switch index % 8 {
      case 0: file.append("\(line)p\n")
      case 1: file.append("s/./x/\n")
      case 2: file.append(".=\n")
      case 3: file.append("\(line)m0\n")
      case 4: file.append("\(line)t.\n")
      case 5: file.append("d\n")
      case 6: file.append("\(line)ka\n")
      default: file.append("'a,'a+1n\n")
      }
    }
    file.append("Q\n")
  }
}

/// A number with commas.
func shown(_ number: Int) -> String {
  number < 1000 ? "\(number)" : shown(number / 1000) + "," + "\(1000 + number % 1000)".dropFirst()
}
