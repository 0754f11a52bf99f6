/// Output of strict runs: that of commands as in ed, and errors in one line each on standard error.
///
///     ued: FILE: SCRIPT:LINE: message
class StrictRendering: PlainRendering {
  /// The file that notices name.
  var fileName: [UInt8] = []
  /// The notices of added newlines that are held back with the output; nil while it is not.
  private var heldNotices: [[UInt8]]?

  override func show(_ value: Output) {
    switch value {
    case .notice(let notice): report(Messages.strict(Messages.notice(notice), of: fileName))
    case .warning(let warning): report(Messages.strict(Messages.text(warning), of: []))
    case .newlineAppended, .newlineInserted:
      let notice = Messages.strict(Messages.newlineAdded, of: fileName)
      if heldNotices == nil { report(notice) } else { heldNotices?.append(notice) }
    // The message for the failed command says it.
    case .failure: break
    default: super.show(value)
    }
  }

  override func holdOutput() {
    super.holdOutput()
    heldNotices = []
  }

  override func releaseOutput() {
    super.releaseOutput()
    for notice in heldNotices ?? [] { report(notice) }
    heldNotices = nil
  }

  override func discardOutput() {
    super.discardOutput()
    heldNotices = []
  }

  override func explanation(of error: EditorError) -> [UInt8] { Messages.strict(error) }
}
