extension ScriptGenerator {
  mutating func makeGlobal() {
    let mark = delimiter()
    let pattern = random.chance(8) ? "" : pattern(delimiter: mark)
    let flag = random.chance(8) ? "I" : ""
    let target = random.chance(70) ? "" : range()
    emit(target + random.pick(["g", "g", "v"]) + mark + pattern)
    if random.chance(3) {
      line("")
      return
    }
    emit(mark + flag)
    makeList()
  }

  /// The rest of a `g` line: a list of commands, which all lines but the last end in a backslash.
  private mutating func makeList() {
    let count = random.pick(weighted: [(1, 0), (10, 1), (5, 2), (2, 3)])
    let start = script.count
    for index in 0..<count {
      let entry = listEntry()
      emit(entry.joined(separator: "\\\n"))
      // A shell command ends the list: continued, it would swallow the next line as shell text.
      if entry.contains(where: { $0.contains("!") }) { break }
      if index + 1 < count || random.chance(3) { emit("\\\n") }
    }
    // A shell command cut short might not read what is written to it.
    if random.chance(2), script.count > start, !script[start...].contains(UInt8(ascii: "!")) {
      script.removeLast()
    }
    line("")
  }

  private mutating func listEntry() -> [String] {
    switch random.below(100) {
    case ..<20: return [substitution()]
    case ..<32:
      return [
        random.pick(["p", "n", "l", "=", ".=", "-p", "+p", "", "1p", "$p", "-,+p", "z1", "z"])
      ]
    case ..<40: return [random.pick(["d", "d", "+d", "-d", ".,+1d", "1d", "$d", "dp"])]
    case ..<50: return ["m" + destination()]
    case ..<56: return [random.pick(["t.", "t0", "t$", "t.", "1t.", "t-1", "tp"])]
    case ..<62: return [random.pick(["j", "-,.j", "1,2j", ".,+2j", "jp"])]
    case ..<74: return entryInList()
    case ..<78: return [random.pick(["ka", "kb", "'ap", "'bd", "'a=", "-ka"])]
    case ..<82: return [random.pick(["y", "x", "0x", "$x", "-y"])]
    case ..<85: return [random.pick(["u", "u", "up"])]
    case ..<89: return [repeatedSubstitution()]
    case ..<92:
      return [
        random.pick([
          "r g", "w x", "W x", "r !echo hi", "w !cat", "f", "e g", "1r empty", "r nofile",
        ])
      ]
    case ..<95:
      return [random.pick(["!echo hi", "!echo %", "!!", "h", "H", "P", "#c", "q", "Q", "wq"])]
    default:
      return [
        random.pick([
          "g/o/p", "v/o/d", "G/o/", "foo", "pp", "99p", "s", "k", "d d", "//p", "/o/p", "??=",
          "s//x/",
        ])
      ]
    }
  }

  private mutating func entryInList() -> [String] {
    var lines = [random.pick(["a", "i", "c", "a", "0a", "$a", "-i", "ap", ".,+c"])]
    for _ in 0..<random.below(3) {
      lines.append(random.pick(["X", "foo", "new o", "", "a b", "x\\", ".x"]))
    }
    if random.chance(55) { lines.append(".") }
    return lines
  }

  /// `G` or `V` with an answer for each line that they will print, or too few, or too many.
  mutating func makeInteractive() {
    let mark = delimiter()
    let flag = random.chance(8) ? "I" : ""
    let pattern = random.chance(8) ? "" : pattern(delimiter: mark)
    emit(random.chance(70) ? "" : range())
    line(
      random.pick(["G", "G", "V"]) + mark + pattern + mark + flag + (random.chance(5) ? "p" : ""))
    for _ in 0..<random.below(min(lineCount, 6) + 2) {
      switch random.below(10) {
      case 0, 1: line("")
      case 2, 3: line("&")
      default:
        line(listEntry().joined(separator: "\\\n"))
      }
    }
  }
}
