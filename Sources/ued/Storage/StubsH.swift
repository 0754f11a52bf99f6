extension HistoryKeeper {
  mutating func suspend() {}
  mutating func resume(of name: [UInt8]) -> Bool { true }
  mutating func stageSave(_ text: inout EditedText, of name: [UInt8]) { willSave(&text, of: name) }
  mutating func commitSave(_ text: inout EditedText, of name: [UInt8]) { record(&text, of: name) }
  mutating func rollBackSave(_ text: inout EditedText, of name: [UInt8]) {}
}
