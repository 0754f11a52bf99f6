import Glibc

/// Locales with encodings other than UTF-8, made once, in the folder of the running program.
package enum Locales {
  /// Their names. In the first three an ASCII letter may be the second byte of a character.
  package static let names = [
    "zh_CN.GB18030", "zh_TW.BIG5", "ja_JP.SHIFT_JIS", "ja_JP.EUC-JP", "fr_FR.ISO-8859-1",
  ]

  /// An environment, with the place of these locales added if it selects one of them.
  static func added(to environment: [String]) -> [String] {
    let isOther = names.contains { environment.contains("LC_ALL=" + $0) }
    return isOther ? environment + ["LOCPATH=" + folder] : environment
  }

  /// The folder that has them.
  private static let folder: String = {
    let folder = Disk.programFolder + "/locales"
    mkdir(folder, 0o755)
    for name in names where !Disk.isFolder(folder + "/" + name) { make(name, in: folder) }
    return folder
  }()

  private static func make(_ name: String, in folder: String) {
    // Other processes may be making it, too.
    let new = "\(folder)/.\(getpid()).\(name)"
    let parts = name.split(separator: ".").map(String.init)
    var process = Process(
      "localedef", ["--no-archive", "-i", parts[0], "-f", parts[1], new],
      environment: ["PATH=/usr/bin:/bin"], directory: folder)
    process.secondsAllowed = 120
    let result = try? process.run(.file("/dev/null"))
    guard Disk.isFolder(new) else {
      fatalError("localedef \(name): \(String(decoding: result?.errors ?? [], as: UTF8.self))")
    }
    if rename(new, folder + "/" + name) != 0 { Disk.remove(contentsOf: new) }
  }
}
