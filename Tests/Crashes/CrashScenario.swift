/// A way to change files; the tests open every crash state of it.
package struct CrashScenario: Sendable, CustomStringConvertible {
  package var name: String
  package var description: String { name }
  /// A shell command that makes the initial files in the folder.
  package var setUp: String
  /// A shell command that changes them with `$UED`, and is recorded.
  package var command: String
  /// For each file, its successive texts, as lines; nil while the file does not exist.
  package var texts: [String: [[String]?]]
  /// Index of the saved text; a file may also have the first.
  package var saved: Int
  /// Whether the file is overwritten in place: it may be torn while a copy keeps its old text.
  package var isInPlace = false
  /// How long a new file may lack its text after an unsynced save: never, until the command ends,
  /// or always.
  package enum Unsynced: Sendable { case never, untilEnd, always }
  package var unsynced = Unsynced.never
  /// Whether all files are changed or none.
  package var isAtomic = false
  /// The lines that the last text may have while its group is still open.
  package var partial: [String] = []
  /// The names of backups, each with the lines of the file it keeps.
  package var backups: [String: [String]] = [:]

  private static let one = ["one", "two", "three"]
  private static let usual: [[String]?] = [
    one, ["one", "TWO", "three"], ["one", "TWO", "three", "four"],
  ]
  private static let make = "printf 'one\\ntwo\\nthree\\n' >f"
  private static let script = "2s/two/TWO/\\n$a\\nfour\\n.\\n"

  /// Sends ued one command after the other, each when the one before it was answered.
  private static func dialogue(_ commands: String...) -> String {
    """
    coproc ued { $UED --json --history=on f; }; ended=$ued_PID; exec 5<&${ued[0]} 6>&${ued[1]}
    eval "exec ${ued[1]}>&-"
    for command in \(commands.map { "'\($0)'" }.joined(separator: " ")); do
      printf "$command" >&6; read -r answer <&5
    done
    exec 6>&-; cat <&5 >/dev/null; wait $ended
    """
  }

  package static let all: [CrashScenario] = [
    CrashScenario(
      name: "replaced", setUp: make, command: "printf '\(script)w\\n' | $UED -s f",
      texts: ["f": [one, usual[2]]], saved: 1),
    CrashScenario(
      name: "replaced, with a history that is new", setUp: make,
      command: dialogue("2s/two/TWO/\\n", "$a\\nfour\\n.\\n", "w\\n"), texts: ["f": usual], saved: 2
    ),
    CrashScenario(
      name: "groups, and no save",
      setUp: make + "; printf '2s/two/TWO/\\nw\\n' | $UED -s --history=on f",
      command: dialogue("$a\\nfour\\n.\\n", "1d\\n", "1d\\n", "Q\\n"),
      texts: ["f": usual + [["TWO", "three", "four"], ["three", "four"]]], saved: 1),
    CrashScenario(
      name: "a group made by hand",
      setUp: make + "; printf '2s/two/TWO/\\nw\\n' | $UED -s --history=on f",
      command: dialogue("begin x\\n", "$a\\nfour\\n.\\n", "1d\\n", "end\\n", "w\\n"),
      texts: ["f": [one, usual[1], ["TWO", "three", "four"]]], saved: 2,
      partial: ["one", "TWO", "three", "four"]),
    CrashScenario(
      name: "in place, hard linked", setUp: make + "; ln f k",
      command: "printf '\(script)w\\n' | $UED -s f", texts: ["f": [one, usual[2]]], saved: 1,
      isInPlace: true),
    CrashScenario(
      name: "in place, shorter", setUp: make + "; ln f k",
      command: "printf '1,2d\\nw\\n' | $UED -s f", texts: ["f": [one, ["three"]]], saved: 1,
      isInPlace: true),
    CrashScenario(
      name: "in place, with a history",
      setUp: make + "; ln f k; printf '2s/two/TWO/\\nw\\n' | $UED -s --history=on f",
      command: dialogue("$a\\nfour\\n.\\n", "w\\n"),
      texts: ["f": usual], saved: 2, isInPlace: true),
    CrashScenario(
      name: "new, by a plain script", setUp: ":",
      command: "printf 'a\\none\\n.\\nw f\\n' | $UED -s", texts: ["f": [nil, ["one"]]], saved: 1,
      unsynced: .always),
    CrashScenario(
      name: "new, by a plain script, and saved unchanged by a strict run", setUp: ":",
      command: "printf 'a\\none\\n.\\nw f\\n' | $UED -s; $UED -s -e w f",
      texts: ["f": [nil, ["one"]]], saved: 1, unsynced: .untilEnd),
    CrashScenario(
      name: "in place, with a write that fails", setUp: make + "; ln f k",
      command: "printf '1,2d\\nw\\nQ\\n' | exits 1 env UED_DISK_FAIL=1:EIO:once:truncate $UED -s f",
      texts: ["f": [one]], saved: 0, isInPlace: true),
    CrashScenario(
      name: "new, by a strict run", setUp: ":", command: "$UED -e a -e one -e . -e w --create f",
      texts: ["f": [nil, ["one"]]], saved: 1),
    CrashScenario(
      name: "a backup", setUp: make, command: "$UED -i.bak -e 2d f",
      texts: ["f": [one, ["one", "three"]]], saved: 1, backups: ["f.bak": one]),
    CrashScenario(
      name: "several files together",
      setUp: "for name in f g d/h; do mkdir -p d; printf 'one\\ntwo\\nthree\\n' >$name; done",
      command: "$UED -i --atomic -e 2d f g d/h",
      texts: Dictionary(
        uniqueKeysWithValues: ["f", "g", "d/h"].map { ($0, [one, ["one", "three"]]) }), saved: 1,
      isAtomic: true),
    CrashScenario(
      name: "several files together, one of them in place",
      setUp: "for name in f g; do printf 'one\\ntwo\\nthree\\n' >$name; done; ln g k",
      command: "$UED -i --atomic -e 2d f g",
      texts: Dictionary(uniqueKeysWithValues: ["f", "g"].map { ($0, [one, ["one", "three"]]) }),
      saved: 1, isAtomic: true),
    CrashScenario(
      name: "several files together, with histories and backups",
      setUp: "for name in f g; do printf 'one\\ntwo\\nthree\\n' >$name; done",
      command: "$UED -i.bak --atomic --history=on -e 2d f g",
      texts: Dictionary(uniqueKeysWithValues: ["f", "g"].map { ($0, [one, ["one", "three"]]) }),
      saved: 1, isAtomic: true, backups: ["f.bak": one, "g.bak": one]),
    CrashScenario(
      name: "many files in a window, with histories",
      setUp: "for name in f g h; do printf 'one\\ntwo\\nthree\\n' >$name; done",
      command: "$UED -i --history=on -e 2d f g h",
      texts: Dictionary(
        uniqueKeysWithValues: ["f", "g", "h"].map { ($0, [one, ["one", "three"]]) }), saved: 1),
    CrashScenario(
      name: "a history whose log was made by a killed session",
      setUp: make + "; printf '2s/two/TWO/\\nw\\n' | $UED -s --history=on f",
      command:
        "printf '$a\\nfour\\n.\\nw\\n' | exits 137 env UED_DISK_FAIL=3:KILL:once:fsync $UED -s --history=on f\n"
        + dialogue("redo\n", "w\n"), texts: ["f": usual], saved: 2),
    CrashScenario(
      name: "undoing a run that was killed while it overwrote a file",
      setUp: """
        for name in f g; do printf 'one\\ntwo\\nthree\\n' >$name; done; ln g k
        exits 137 env UED_DISK_FAIL=1:KILLAFTER:once:truncate $UED -s -i --atomic -e 2d f g
        """, command: "$UED -s -e Q f g", texts: ["f": [one], "g": [one]], saved: 0, isAtomic: true),
    CrashScenario(
      name: "opening after a crash",
      setUp: make
        + "; printf '2s/two/TWO/\\nw\\n' | exits 137 env UED_DISK_FAIL=2:KILL:once:rename $UED -s --history=on f",
      command: dialogue("redo\\n", "$a\\nfour\\n.\\n", "w\\n"), texts: ["f": usual], saved: 2),
  ]
}
