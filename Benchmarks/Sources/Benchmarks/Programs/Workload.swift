/// Something to do for several programs.
struct Workload {
  var name: String
  /// How many lines the text has; nil when there is none.
  var lines: Int?
  /// The commands, of ed.
  var script: Script
  /// Whether it prints the result instead of writing it to the file `out`.
  var prints = false
  /// Whether `out` is there already.
  var replaces = false
  /// Whether the commands come through a pipe.
  var readsPipe = false
  /// The locale in which ued runs.
  var locale = "C"
  /// What ued's peak of memory may be, in sizes of the text.
  var peakAtMost: Double?
  var peers: [Peer] = []

  /// Commands, written to a file before the programs run.
  enum Script {
    case text(String)
    /// Made by a function: there may be very many.
    case made((inout FileMaker) -> Void)
  }

  /// Who does the same, and how much longer than it ued may take.
  struct Peer {
    enum Program {
      case ed
      /// ued itself, in the locale C.
      case uedInC
      case sed(String)
      case wc
      /// With these commands.
      case vim(String)
    }

    var program: Program
    /// Nil when there is no target.
    var atMost: Double?
  }
}

extension Workload.Peer {
  var name: String {
    switch program {
    case .ed: "GNU ed"
    case .uedInC: "ued in C"
    case .sed: "sed"
    case .wc: "wc -l"
    case .vim: "vim -es"
    }
  }

  /// The path of the program.
  func path(ued: String) -> String {
    switch program {
    case .ed: "/usr/bin/ed"
    case .uedInC: ued
    case .sed: "/usr/bin/sed"
    case .wc: "/usr/bin/wc"
    case .vim: "/usr/bin/vim"
    }
  }
}
