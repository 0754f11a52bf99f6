/// Why something could not be done with the histories of files.
struct HistoryTaskFailure: Error {
  let code: ErrorCode
  let message: [UInt8]

  init(_ code: ErrorCode, _ message: [UInt8]) { (self.code, self.message) = (code, message) }
}
