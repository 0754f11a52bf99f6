import Glibc
import UedLinux

/// The command line and the environment of the process, and the commit of its program, as bytes.
///
/// SAFETY: strings of the C runtime end with NUL and live as long as the process, whose environment is never
/// changed; they are copied at once.
@safe enum ProcessArguments {
  /// The name by which the program was called.
  static var programName: [UInt8] {
    clinux_argument_count() > 0 ? argument(0) : Array("ued".utf8)
  }

  static var arguments: [[UInt8]] {
    clinux_argument_count() < 2 ? [] : (1..<clinux_argument_count()).map { argument($0) }
  }

  private static func argument(_ index: Int32) -> [UInt8] {
    unsafe clinux_argument(index).map { unsafe bytes(of: $0) } ?? []
  }

  /// The value of an environment variable; nil when it is not set.
  static func environment(_ name: String) -> [UInt8]? {
    unsafe getenv(name).map { unsafe bytes(of: $0) }
  }

  /// The commit of the sources that the program was built from; empty if the build did not know it.
  static var commit: [UInt8] {
    unsafe clinux_commit().map { unsafe bytes(of: $0) } ?? []
  }

  private static func bytes(of string: UnsafePointer<CChar>) -> [UInt8] {
    unsafe Array(UnsafeRawBufferPointer(start: string, count: strlen(string)))
  }
}

/// SAFETY: `setlocale` is called before anything else uses the locale, on the only thread.
@safe enum ProcessLocale {
  /// Adopts the locale of the environment, for regular expressions and the system's messages. The
  /// other categories are not needed and would only delay the start.
  static func adopt() {
    for category in [LC_CTYPE, LC_COLLATE, LC_MESSAGES] { unsafe setlocale(category, "") }
  }
}
