import Glibc

/// ued compared with ed, vim, sed and wc, each as a process of its own.
enum Processes {
  static func run(isQuick: Bool) {
    let program = pathOfUed()
    let inputs = Inputs()
    defer { if environment("KEEP") == nil { inputs.remove() } }
    chdir(inputs.folder)
    let scale = isQuick ? 10 : 1
    inputs.writeText("big", lines: 2_000_000 / (isQuick ? 4 : 1))
    inputs.writeText("mid", lines: 400_000 / scale)
    inputs.writeText("small", lines: 50_000 / scale)
    var table = Table(limit: isQuick ? 4 : 60)
    let make = Maker(ued: program, inputs: inputs, isQuick: isQuick)
    for workload in make.workloads { table.measure(workload) }
    print(
      "milliseconds, the least and the median of alternating runs; memory in MB; 'big' has "
        + "\(inputs.byteCount("big") / 1_000_000) MB")
    print(table.missed == 0 ? "all limits are met" : "\(table.missed) limits are missed")
  }
}

/// The full path of the program that is measured.
func pathOfUed() -> String {
  let ued = environment("UED") ?? ".build/release/ued"
  guard let path = realpath(ued, nil).map({ String(cString: $0) }) else {
    print("there is no \(ued): 'make build' makes it")
    exit(1)
  }
  return path
}

/// Makes the workloads.
private struct Maker {
  let ued: String
  let inputs: Inputs
  let isQuick: Bool

  /// A limit for work that takes ed quadratic time; with a tenth of the lines it is ten times as high.
  private func quadratic(_ limit: Double) -> Double { isQuick ? limit * 10 : limit }

  /// The memory limit for a file; the fixed part matters only for small ones.
  private func memory(_ limit: Double) -> Double { isQuick ? limit + 10e6 : limit }

  /// A script for ued and ed on one file, and other programs that do the same.
  private func edits(
    _ name: String, _ file: String, _ script: [String], _ atMost: Double, output: String? = nil,
    sed: (String, Double)? = nil, vim: String? = nil, memory: Double? = nil, rounds: Int = 3
  ) -> Workload {
    let input = name.filter { $0.isLetter || $0.isNumber } + ".ed"
    inputs.writeScript(input, script)
    func editor(_ path: String) -> Run {
      Run(
        arguments: [path, "-s"] + (file.isEmpty ? [] : [file]), input: inputs.path(input),
        output: output)
    }
    var runs: [(String, Run, Double?)] = [
      ("ued", editor(ued), nil), ("ed", editor("/usr/bin/ed"), atMost),
    ]
    if let (expression, limit) = sed {
      let run = Run(arguments: ["/usr/bin/sed", expression, file], output: inputs.path("new"))
      runs.append(("sed", run, limit))
    }
    if let vim {
      let quietly = ["/usr/bin/vim", "-es", "-u", "NONE", "-i", "NONE", "-n"]
      let run = Run(arguments: quietly + ["-c", vim, "-c", "w! new", "-c", "q!", file])
      runs.append(("vim", run, 1))
    }
    return Workload(name: name, runs: runs, memoryAtMost: memory, rounds: rounds)
  }

  var workloads: [Workload] {
    let size = Double(inputs.byteCount("big"))
    var all = [
      edits("start, q", "", ["q"], 2, rounds: isQuick ? 50 : 300),
      load(size),
      edits("load, write a new file", "big", ["w new", "Q"], 0.35, vim: ""),
      edits("load, write over a file (not synced by ed)", "big", ["w old", "Q"], 100),
      edits(
        ",s/an/XY/g, write", "big", [",s/an/XY/g", "w new", "Q"], 0.25, sed: ("s/an/XY/g", 0.9),
        vim: "%s/an/XY/g", memory: memory(size * 2.3)),
      edits(
        ",s/[aeiou]\\([a-z]*\\)z/<\\1>/, write", "big",
        [",s/[aeiou]\\([a-z]*\\)z/<\\1>/", "w new", "Q"], 0.25,
        sed: ("s/[aeiou]\\([a-z]*\\)z/<\\1>/", 0.9)),
      edits(",s/an/XY/g, u, write", "big", [",s/an/XY/g", "u", "w new", "Q"], 0.25),
      edits(",p to a file", "big", [",p", "Q"], 0.25, output: inputs.path("new")),
      edits(",j, write", "big", [",j", "w new", "Q"], 0.4),
    ]
    let globals = [
      edits(
        "g/qu/d, write", "mid", ["g/qu/d", "w new", "Q"], quadratic(0.02), sed: ("/qu/d", 0.9),
        vim: "g/qu/d"),
      edits(
        "g/qu/s/e/E/, write", "mid", ["g/qu/s/e/E/", "w new", "Q"], quadratic(0.02),
        vim: "g/qu/s/e/E/"),
      edits("g/^/m0, write", "small", ["g/^/m0", "w new", "Q"], quadratic(0.02), vim: "g/^/m0"),
    ]
    all += globals
    all.append(edits("edits at random lines, write", "mid", randomEdits, quadratic(0.02)))
    all += globals.map(inUTF8)
    all += commands
    return all
  }

  private func load(_ size: Double) -> Workload {
    var workload = edits("load, =", "big", ["=", "Q"], 0.2, vim: "", memory: memory(size * 1.15))
    workload.runs.append(("wc -l", Run(arguments: ["/usr/bin/wc", "-l", "big"]), 4))
    return workload
  }

  /// 20,000 lines appended, deleted and changed at random places.
  private var randomEdits: [String] {
    var random = SeededGenerator(7)
    let count = isQuick ? 2000 : 20_000
    let lines = isQuick ? 39_000 : 390_000
    return (0..<count).flatMap { index -> [String] in
      let line = Int.random(in: 1...lines, using: &random)
      return switch index % 3 {
      case 0: ["\(line)a", "a new line", "."]
      case 1: ["\(line)d"]
      default: ["\(line)s/$/ more/"]
      }
    } + ["w new", "Q"]
  }

  /// ued in a UTF-8 locale compared with ued in the C locale.
  private func inUTF8(_ workload: Workload) -> Workload {
    var run = workload.runs[0].run
    run.locale = "C.UTF-8"
    return Workload(
      name: "the same in UTF-8: \(workload.name)",
      runs: [("UTF-8", run, nil), ("C", workload.runs[0].run, 1.3)])
  }

  /// A script of very many commands, from a file and from a pipe.
  private var commands: [Workload] {
    let count = 1_000_000 / (isQuick ? 10 : 1)
    inputs.write("commands.ed", count: count) { number, bytes in
      let command = ["\(number % 1000 + 1)ka", "1,3p", "'a=", "2s/$//"][number % 4]
      bytes += (number < count - 1 ? command : "Q").utf8
    }
    return [("from a file", 0.5, false), ("through a pipe", 1.0, true)].map { how, limit, isPiped in
      func run(_ path: String) -> Run {
        isPiped
          ? Run(arguments: ["/bin/sh", "-c", "cat commands.ed | \(path) -s small"])
          : Run(arguments: [path, "-s", "small"], input: inputs.path("commands.ed"))
      }
      return Workload(
        name: "\(count) commands \(how)",
        runs: [("ued", run(ued), nil), ("ed", run("/usr/bin/ed"), limit)])
    }
  }
}
