/// What some workers have done side by side, in the order in which they ended.
func parallel<Part: Sendable>(
  _ workers: Int, _ work: @escaping @Sendable (_ worker: Int) -> Part
) async -> [Part] {
  await withTaskGroup(of: Part.self) { group in
    for worker in 0..<workers { group.addTask { work(worker) } }
    return await group.reduce(into: []) { $0.append($1) }
  }
}
