import TextBuffer

/// Messages about patches.
extension Messages {
  /// Why a patch can't be applied.
  static func text(_ error: PatchError) -> String {
    switch error {
    case .hasNoChanges: "the patch changes nothing: it has no hunk, which would begin with '@@'"
    case .strayLine(let line):
      "line \(line) of the patch is in no hunk; a hunk has no lines without ' ', '+' or '-'"
    case .badHeader(let line): "line \(line) of the patch is not understood"
    case .contradictsHeader(let line):
      "line \(line) of the patch contradicts the 'diff --git' above it"
    case .isCopy(let line):
      "line \(line) of the patch copies a file; files are changed, made, removed and renamed"
    case .isNoFile(let line):
      "line \(line) of the patch is about a symbolic link or a submodule; only files are patched"
    case .isCutOff(let line):
      "line \(line) of the patch begins what is not complete: the patch was cut off"
    case .isCombined(let line):
      "line \(line) of the patch is of a merge; make a difference from one old text"
    case .isBinary(let line): "line \(line) of the patch: only text can be patched, no binary file"
    case .hasTooManyHunks: "the patch has more than \(PatchParser.hunkLimit) hunks; split it"
    case .hasSeveralFiles(let count):
      "the patch is for \(count) files; 'ued --apply=PATCH' applies it to all"
    case .changesMoreThanText:
      "the patch renames the file or changes its mode; 'ued --apply=PATCH' can do that"
    case .hasNoName(let line):
      "line \(line) of the patch: it names no file; begin with '--- NAME' and '+++ NAME'"
    case .nameIsTooLong(let line):
      "line \(line) of the patch: the name of its file is too long"
    case .nameLeadsOut: "outside of this folder, or through a symbolic link; not patched"
    case .nameIsReserved:
      "no patch changes what is in '.git', or has a name that begins with '.ued-'"
    case .isInterrupted: "Interrupt"
    case .fileExists: "exists already, but the patch creates it"
    case .isNotEmpty: "the patch deletes it, but there is more in it than the patch removes"
    case .isAppliedAlready: "the patch is already applied"
    case .isTangled:
      "made, removed or renamed, and changed elsewhere in the patch, too; split the patch"
    case .isRejected(let rejection): text(rejection)
    }
  }

  /// Which hunk does not fit, and where it nearly does.
  private static func text(_ rejection: HunkRejection) -> String {
    let hunk = "hunk \(rejection.hunk) (line \(rejection.patchLine) of the patch)"
    switch rejection.reason {
    case .isNowhere(nil): return "\(hunk) does not fit: none of its lines is there"
    case .isNowhere(let near?):
      let differing = near.differing.value
      let found = near.found.map { "is '\(GroupNames.exact($0))'" } ?? "is not there"
      return "\(hunk) does not fit; nearest is line \(near.line.value), but line \(differing) "
        + "\(found), not '\(GroupNames.exact(near.expected))'"
    case .isAmbiguous(let one, let other):
      return "\(hunk) fits at line \(one.value) and at line \(other.value); add context lines"
    case .hasNoPlace: return "\(hunk) adds lines, and does not say where; add context lines"
    case .isOutOfOrder(let line):
      return "\(hunk) fits at line \(line.value), which is not behind the hunk before it; sort them"
    case .overlaps(let line):
      return "\(hunk) fits at line \(line.value), which the hunk before it has, too; join them"
    case .endHasNewline:
      return "\(hunk) does not fit: its lines are there, but the last one has a newline, "
        + "and none in the patch"
    case .isNotAtEnd(let line):
      return "\(hunk) fits at line \(line.value), but the text does not end there, as the '\\' "
        + "in the patch says"
    case .isTooFar: return "\(hunk) is too far from where it says; correct the line in its '@@'"
    }
  }
}
