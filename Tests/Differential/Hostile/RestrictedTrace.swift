/// The system calls of a restricted run, as `strace` has written them down.
struct RestrictedTrace {
  private let lines: [Substring]
  private let root: String

  /// The words that run a program under `strace`, which writes to a file.
  static func words(_ program: [String], to file: String) -> [String] {
    [
      "/usr/bin/strace", "-f", "-qq", "-y", "-s", "4096", "-o", file, "--seccomp-bpf", "-e",
      "trace=execve,execveat,open,openat,openat2,creat,rename,renameat,renameat2,unlink,unlinkat",
    ] + program
  }

  init(_ bytes: [UInt8], root: String) {
    lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    self.root = root
  }

  /// The first call that a restricted run must not make; nil without one.
  var fault: HostileFault? {
    let programs = lines.filter { $0.contains(" execve(") || $0.contains(" execveat(") }
    if programs.count > 1 {
      return HostileFault(kind: "runs a program with -r", details: String(programs[1]))
    }
    for line in lines.drop(while: { !$0.contains(" execve(") }).dropFirst() {
      let names = Self.quoted(in: line)
      if names.contains(where: { isForbidden($0, in: line) }) {
        return HostileFault(kind: "opens a file with -r", details: String(line))
      }
    }
    return nil
  }

  private func isForbidden(_ name: String, in line: Substring) -> Bool {
    if name == "secret" || name.hasSuffix("/secret") { return true }
    if name.contains("../") { return true }
    if !name.hasPrefix("/") {
      return line.contains("AT_FDCWD") && name.dropFirst().contains("/") && !name.hasPrefix("./")
    }
    let writes = ["O_WRONLY", "O_RDWR", "O_CREAT", "creat(", "rename", "unlink"].contains {
      line.contains($0)
    }
    // The thread sanitizer makes a file itself.
    return writes && !name.hasPrefix(root) && !name.hasPrefix("/dev/")
      && !name.hasPrefix("/tmp/tsan.")
  }

  /// The strings between quotes that are the arguments of a call, not the names of descriptors.
  private static func quoted(in line: Substring) -> [String] {
    var found: [String] = []
    var rest = line
    while let start = rest.firstIndex(of: "\"") {
      rest = rest[rest.index(after: start)...]
      guard let end = rest.firstIndex(of: "\"") else { break }
      found.append(String(rest[..<end]))
      rest = rest[rest.index(after: end)...]
    }
    return found
  }
}
