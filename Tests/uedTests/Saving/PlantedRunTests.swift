import Differential
import Glibc
import Testing

@testable import ued

/// Staging folders and journals that another user has planted, and names that another user has taken.
@Suite struct PlantedRunTests {
  private let sandbox = Sandbox()
  private let name = String(decoding: StagingFolder.name(), as: UTF8.self)

  private func inode(_ name: String) -> UInt64 {
    OpenFile.status(of: Array((sandbox.path + "/" + name).utf8)).map { UInt64($0.st_ino) } ?? 0
  }

  /// Plants a run in `d` that claims to have removed `victim/rc`; undo would make it.
  ///
  /// - Parameter isSealed: Whether the user's key has sealed its journal.
  /// - Throws: Why no folder takes the key.
  private func plant(isSealed: Bool) throws {
    sandbox.run(
      """
      mkdir d victim; echo a >d/f; mkdir -m 700 d/\(name); cd d/\(name)
      : >ued-$(stat -c %i .); echo evil >0.old; : >undo
      """)
    let folders = ["d", "victim"].map { name in
      TransactionJournal.Folder(path: Array("\(sandbox.path)/\(name)".utf8), inode: inode(name))
    }
    let entry = TransactionJournal.Entry(
      staging: 0, number: 0, folder: 1, name: Array("rc".utf8), old: inode("d/\(name)/0.old"),
      new: TransactionJournal.Content())
    var bytes = try TransactionJournal(folders: folders, entries: [entry]).bytes()
    if !isSealed {
      bytes.replaceSubrange(
        (bytes.count - 65)..<(bytes.count - 1), with: Array(repeating: 48, count: 64))
    }
    sandbox["d/\(name)/journal"] = bytes
  }

  @Test(arguments: ["-i -e s/a/b/ d/f", "--atomic -i -e s/a/b/ d/f", "-s -e p d/f", "-s d/f"])
  func `promise 23: a planted run is set aside and reported, not undone`(
    _ arguments: String
  ) throws {
    try plant(isSealed: false)
    sandbox.run(
      """
      "$UED" \(arguments) </dev/null 2>said; test -z "$(ls -A victim)"; test ! -e d/\(name)
      grep -q "previous texts: $PWD/d/.ued-old-" said; grep -q evil d/.ued-old-*/0.old
      """)
  }

  @Test func `promise 23: undo creates no file in a folder without the run's staging folder`()
    throws
  {
    try plant(isSealed: true)
    #expect(sandbox.mend("d/f") == .nothing)
    sandbox.run("test -z \"$(ls -A victim)\"; test -e d/\(name)/0.old")
  }

  @Test(arguments: ["ued-1", "ued-1 ued-2 ued-3"])
  func `promise 23: a folder with several markers is no staging folder`(_ markers: String) throws {
    try plant(isSealed: true)
    sandbox.run(
      """
      cd d/\(name); touch \(markers); before=$(ls -A | wc -l); cd ..
      "$UED" --atomic -i -e s/a/b/ f; test "$(cat f)" = b; test $(ls -A | wc -l) = 2
      test $(ls -A \(name) | wc -l) = $before; test -z "$(ls -A ../victim)"
      """)
  }

  /// Kills a run over `x` and `d/y` between the two files. An earlier run has made the user's key.
  private let kill = """
    mkdir d; echo >x; echo >d/y; "$UED" --atomic -i -e s/^/a/ x d/y; echo r >d/y
    strace -f -qq -o trace -e trace=renameat2 -e inject=renameat2:signal=KILL:when=2 \\
      "$UED" --atomic -i -e '1s/$/!/' x d/y || test $? = 137
    test "$(cat x d/y)" = "$(printf 'a!\\nr')"
    """

  @Test(arguments: ["d/y", "x"])
  func `promise 23: a squatted name that is free again hides no killed run`(_ file: String) {
    sandbox.run(
      """
      mkdir d; echo >\(name); echo >d/\(name); \(kill.replacing("mkdir d; ", with: ""))
      rm \(name) d/\(name)
      "$UED" -i -e 's/$/2/' \(file); test "$(cat x d/y | tr -d 2)" = "$(printf 'a\\nr')"
      fails grep '^\\.ued' <(ls -A . d)
      """)
  }

  @Test(arguments: ["--atomic", "--atomic --history"])
  func `promise 23: with any umask a run opens its files and leaves none`(_ options: String) {
    sandbox.run(
      """
      \(kill.replacing("\\\n  \"$UED\"", with: "sh -c 'umask 0777; exec \"$0\" \"$@\"' \"$UED\""))
      umask 0777
      for i in 1 2 3; do "$UED" \(options) -i -e 's/$/2/' x d/y; done
      test "$(cat x d/y)" = "$(printf 'a222\\nr222')"; fails grep '^\\.ued' <(ls -A . d)
      """)
  }

  @Test func `promise 23: without locks a run works, and leaves runs that may go on`() {
    sandbox.run(
      """
      \(kill)
      for i in 1 2; do
        strace -qq -o trace -e inject=flock:error=ENOLCK "$UED" --atomic -i -e 's/$/2/' x d/y
      done
      test "$(cat x d/y)" = "$(printf 'a!22\\nr22')"
      test "$(ls -A . d | grep '^\\.ued' | sort -u)" = \(name)
      """)
  }

  @Test func `promise 23: --validate can't be given a planted file`() {
    sandbox.run(
      """
      echo old >f
      swap='mv \(name) x; mkdir -m 700 \(name); echo good >\(name)/0; cp \(name)/0 \(name)/0.c'
      status=0
      "$UED" -i --validate="$swap; grep -q good %" -e s/old/bad/ f 2>said || status=$?
      test $status = 1; test "$(cat f)" = old; grep -q rejected said
      """)
  }
}
