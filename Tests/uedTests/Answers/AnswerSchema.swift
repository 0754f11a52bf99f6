import Differential

/// The part of JSON Schema that `share/ued/answer.schema.json` uses; an unknown keyword is a fault.
struct AnswerSchema {
  /// The schema of the package.
  static let shared = AnswerSchema(path: packageFolder + "/share/ued/answer.schema.json")

  let root: ParsedJSON

  private init(path: String) {
    root = (try? ParsedJSON(Disk.read(path) ?? [])) ?? .null
  }

  /// The reason why a value violates the schema; nil if it is valid.
  func fault(in value: ParsedJSON) -> String? { fault(in: value, as: root, at: "") }

  /// The codes of errors.
  var codes: [String] { (root["$defs"]?["code"]?["enum"]?.elements ?? []).compactMap(\.text) }

  private func fault(in value: ParsedJSON, as schema: ParsedJSON, at place: String) -> String? {
    guard case .object(let rules) = schema else { return "\(place): no schema" }
    for (name, rule) in rules {
      if let fault = fault(in: value, name, rule, rules, place) { return fault }
    }
    return nil
  }

  private func fault(
    in value: ParsedJSON, _ keyword: String, _ rule: ParsedJSON, _ rules: [String: ParsedJSON],
    _ place: String
  ) -> String? {
    func check(_ isRight: Bool) -> String? {
      isRight ? nil : "\(place): \(keyword) \(rule) does not hold for \(value)"
    }
    func count(_ choices: ParsedJSON) -> Int {
      choices.elements.count { fault(in: value, as: $0, at: place) == nil }
    }
    switch keyword {
    case "$schema", "title", "description", "$defs": return nil
    case "$ref":
      let name = String(rule.text?.dropFirst("#/$defs/".count) ?? "")
      return fault(in: value, as: root["$defs"]?[name] ?? .null, at: place + "/" + name)
    case "oneOf": return check(count(rule) == 1)
    case "anyOf": return check(count(rule) > 0)
    case "const": return check(value == rule)
    case "enum": return check(rule.elements.contains(value))
    case "type": return check(Self.type(of: value) == rule.text)
    case "minimum": return check((value.number ?? 0) >= rule.number ?? .max)
    case "maximum": return check((value.number ?? 0) <= rule.number ?? .min)
    case "pattern":
      return check((try? Regex(rule.text ?? "").firstMatch(in: value.text ?? "")) != nil)
    case "required": return check(rule.elements.allSatisfy { value[$0.text ?? ""] != nil })
    case "items":
      for element in value.elements {
        if let fault = fault(in: element, as: rule, at: place + "[]") { return fault }
      }
      return nil
    case "properties":
      guard case .object(let properties) = rule else { return "no properties" }
      for (name, property) in properties {
        guard let member = value[name] else { continue }
        if let fault = fault(in: member, as: property, at: "\(place).\(name)") { return fault }
      }
      return nil
    case "additionalProperties":
      guard rule == .bool(false), case .object(let members) = value else { return check(false) }
      return check(members.keys.allSatisfy { rules["properties"]?[$0] != nil })
    default: return "\(keyword) is not known here"
    }
  }

  private static func type(of value: ParsedJSON) -> String {
    switch value {
    case .null: "null"
    case .bool: "boolean"
    case .number: "integer"
    case .string: "string"
    case .array: "array"
    case .object: "object"
    }
  }
}
