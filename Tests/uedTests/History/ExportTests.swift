import Differential
import Testing
import TextBuffer

@testable import ued

/// Exported histories, read by other programs.
@Suite struct ExportTests {
  private let sandbox = Sandbox()

  private static let names = [
    "f", "a b", "dir/f", "./x//y", "/etc/absolute", "../up", "quo\"te", "back\\slash", "tab\there",
    "\u{e9}\u{4e2d}", "-dash", "sub/.git", "it's", "100% $HOME `x`", "new\nline",
  ]

  private static let groupNames = [
    "v1", "v1", "V 1", "a/b", "a..b", ".x.", "x.lock", "@", "@{1}", "~^:?*[\\", "main", "HEAD",
    "ued-1", "-", "\u{e9} \u{301}", "refs/heads/main", "", "x\u{7f}y",
    "long \(String(repeating: "\u{4e2d}", count: 99))",
  ]

  /// An editor with a random history of branches, names and bytes of all kinds.
  private func driver(_ random: inout SeededGenerator) -> EditorDriver {
    let starts = ["", "one\n", "one\ntwo\nthree\n", "a\r\nb\r\n", "nul \0\nno end", "\n\n"]
    let driver = EditorDriver(random.pick(starts))
    driver.run("diff\n")
    for (number, bytes) in [
      [0xFF, 0xFE, 0x0A], Array("no end".utf8), [0, 1, 2], [0, 0x0A, 0x0D, 0x0A],
      Array("--- a/f\n+++ b/f\n@@ -1 +1 @@\n-x\n".utf8), [],
    ].enumerated() {
      Disk.write(driver.folder + "/r\(number)", bytes as [UInt8])
    }
    for step in 0..<random.below(25) {
      let line = random.below(5)
      driver.run(
        random.pick([
          "\(line)a\nnew \(step)\n.\n", "\(line)d\n", "\(line)s/$/ \(step)/\n", ",d\n", "undo\n",
          "undo 2\n", "redo\n", "u\n", "jump \(random.below(12))\n", "jump -\n", "\(line)m0\n",
          "$r \(driver.folder)/r\(random.below(6))\n", "0r \(driver.folder)/r\(random.below(6))\n",
          "name \(random.pick(Self.groupNames))\n", "\(line)t$\n", "begin\n1d\n1s/$/x/\nend\n",
          "w\n",
        ]))
    }
    _ = driver.takeOutputBytes()
    return driver
  }

  private func output(of command: String, by driver: EditorDriver) -> [UInt8] {
    driver.run(command + "\n")
    return driver.takeOutputBytes()
  }

  /// Sets the file name, and makes an export.
  private func rename(_ driver: EditorDriver, _ name: String) -> HistoryExport {
    driver.setFileName(Array(name.utf8))
    return HistoryExport(
      form: .commits, text: driver.editor.text, fileName: Array(name.utf8), isExecutable: false)
  }

  @Test(arguments: seeds())
  func `patch and git apply turn the first text into the current one`(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let rounds = 60
    for round in 0..<rounds {
      let driver = driver(&random)
      // GNU patch refuses names with a newline, and a blank at the end of a folder's name.
      let names = Self.names.filter { !$0.contains("\n") }
      let path = rename(driver, random.pick(names)).relativePath
      let text = driver.editor.text
      sandbox["series.\(round)"] = output(of: "history patch", by: driver)
      sandbox["path.\(round)"] = path
      sandbox["old.\(round)"] = try text.fileText(of: 0).bytes
      sandbox["new.\(round)"] = try text.fileText(of: text.history.current).bytes
    }
    let said = sandbox.run(
      """
      round=0
      while [ $round -lt \(rounds) ]; do
        path=$(cat path.$round)
        for way in patch git; do
          mkdir $way.$round; cd $way.$round; mkdir -p -- "$(dirname -- "$path")"
          cp ../old.$round "./$path"
          if [ -s ../series.$round ]; then
            case $way in
              patch) patch -s -p1 <../series.$round ;;
              git) git apply --whitespace=nowarn ../series.$round ;;
            esac || echo "$way $round fails"
          fi
          [ -e "./$path" ] || : >"./$path"
          cmp "./$path" ../new.$round || echo "$way $round differs"
          test ! -e "./$path.orig" || echo "$way $round had to guess"
          cd ..
        done
        round=$((round + 1))
      done 2>&1
      """)
    #expect(String(decoding: said, as: UTF8.self) == "")
  }

  @Test(arguments: seeds())
  func `every commit of an imported history is the text of its revision`(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let rounds = 12
    for round in 0..<rounds {
      let driver = driver(&random)
      let export = rename(driver, random.pick(Self.names))
      let text = driver.editor.text
      sandbox["stream.\(round)"] = output(of: "history git", by: driver)
      sandbox["base.\(round)"] = export.baseName + Array("/".utf8)
      let history = text.history
      for revision in history.revisions where !revision.isDropped {
        sandbox["text.\(round).\(revision.id + 1)"] = try text.fileText(of: revision.id).bytes
      }
      let ends = history.revisions.filter {
        !$0.isDropped && history.children(of: $0.id).isEmpty && $0.id != history.current
      }
      sandbox["heads.\(round)"] = Array(
        ([":\(history.current + 1) main"] + ends.map { ":\($0.id + 1) ued-\($0.id)" }).map {
          $0 + "\n"
        }.joined().utf8)
      let tagged = history.revisions.filter { !$0.isDropped && $0.name != nil }
      sandbox["tags.\(round)"] = Array(tagged.map { ":\($0.id + 1)\n" }.joined().utf8)
    }
    let said = sandbox.run(
      """
      round=0
      while [ $round -lt \(rounds) ]; do
        git init -q -b other repository.$round; cd repository.$round
        git fast-import --quiet --export-marks=../marks.$round <../stream.$round ||
          echo "$round fails"
        git fsck --strict --no-dangling 2>&1 | { grep -v "^notice" || true; }
        base=$(cat ../base.$round; echo x); base=${base%/x}
        set -- ../text.$round.*
        test $# = $(wc -l <../marks.$round) || echo "$round: $# texts"
        sort ../marks.$round | while read -r mark commit; do
          git checkout -q --detach $commit -- && cmp "./$base" ../text.$round.${mark#:} ||
            echo "$round $mark"
          test "$(git ls-files | wc -l)" = 1 || echo "$round $mark has other files"
        done
        commits() { awk 'NR == FNR { of[$1] = $2; next } { $1 = of[$1]; print }' \
          ../marks.$round $1 | sort; }
        git for-each-ref --format='%(objectname) %(refname:lstrip=2)' refs/heads | sort >../found
        commits ../heads.$round | diff - ../found
        git for-each-ref --format='%(objectname)' refs/tags | sort >../found
        commits ../tags.$round | diff - ../found
        git for-each-ref --format='%(refname)' |
          while read -r name; do git check-ref-format "$name" || echo "$name"; done
        cd ..; round=$((round + 1))
      done 2>&1
      """)
    #expect(String(decoding: said, as: UTF8.self) == "")
  }
}
