import Glibc

/// The end of a process.
package enum Ending: Sendable, Equatable {
  case exited(Int32)
  case signalled(Int32)
  case timedOut
  /// Killed because it wrote more than the runner keeps.
  case flooded
}

/// A file, link or folder as a run left it.
package struct Entry: Sendable, Equatable {
  package var name: String
  /// Type and permissions, as `stat` gives them.
  package var mode: UInt32
  package var linkCount: Int
  /// The bytes of a file, the target of a symbolic link.
  package var content: [UInt8]
}

/// Everything that a run writes and leaves behind.
package struct RunResult: Sendable, Equatable {
  package var output: [UInt8]
  package var errors: [UInt8]
  package var ending: Ending
  package var files: [Entry]

  /// The bytes of `f`; nil if it does not exist.
  package var text: [UInt8]? { files.first { $0.name == "f" }?.content }

  /// The differing aspects of two results, the most informative first.
  package func differences(from other: RunResult) -> [Aspect] {
    var aspects: [Aspect] = []
    // ed's scratch file has reached the limit for the size of a file.
    if ending == .signalled(SIGXFSZ) { return [] }
    // Both wait for ever, as after `r /dev/stdout` on a pipe; what they had flushed by then is chance.
    if ending == .timedOut && other.ending == .timedOut { return [] }
    if ending != other.ending { aspects.append(.ending) }
    if output != other.output { aspects.append(.output) }
    if files != other.files { aspects.append(.files) }
    if errors != other.errors { aspects.append(.errors) }
    return aspects
  }

  package enum Aspect: String, Sendable {
    case ending, output, files, errors
  }
}
