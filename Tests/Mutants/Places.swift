import SwiftOperators
import SwiftParser
import SwiftSyntax

/// A change of one place in a source file.
struct Mutation {
  let file: String
  let source: [UInt8]
  /// The bytes that change.
  let range: Range<Int>
  /// The text instead.
  let text: String
  /// Code with both versions; `#` stands for the number of the mutant.
  let code: String

  /// The lines that change, as a range of bytes.
  private var lines: Range<Int> {
    let start = source[..<range.lowerBound].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    return start..<(source[range.upperBound...].firstIndex(of: 0x0A) ?? source.count)
  }

  /// The file and the number of the first line that changes, counted from 1.
  var place: String { "\(file):\(source[..<range.lowerBound].count { $0 == 0x0A } + 1)" }

  /// The file and the lines that change.
  var before: String { file + Self.signed("-", source[lines]) }

  /// The file, and the lines that change, before and after.
  var diff: String {
    let start = source[lines.lowerBound..<range.lowerBound]
    return before
      + Self.signed("+", start + Array(text.utf8) + source[range.upperBound..<lines.upperBound])
  }

  private static func signed(_ sign: String, _ lines: ArraySlice<UInt8>) -> String {
    String(decoding: lines, as: UTF8.self).split(separator: "\n")
      .filter { $0.contains { $0 != " " } }.map { "\n\(sign)\($0)" }.joined()
  }
}

/// Finds all mutations of a file.
final class Places: SyntaxVisitor {
  private(set) var found: [Mutation] = []
  private let file: String
  private let source: [UInt8]

  init(of file: String, _ source: String) {
    (self.file, self.source) = (file, Array(source.utf8))
    super.init(viewMode: .sourceAccurate)
    walk(OperatorTable.standardOperators.foldAll(Parser.parse(source: source)) { _ in })
  }

  private static let swaps = [
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "===": "!==", "!==": "===",
    "&&": "||", "||": "&&", "+": "-", "-": "+", "&+": "&-", "&-": "&+", "*": "+", "/": "*",
    "%": "/", "&": "|", "|": "&", "<<": ">>", ">>": "<<",
  ]
  /// Never mutated: checks of invariants, and `kill`, which could end other programs.
  private static let claims: Set = [
    "assert", "assertionFailure", "precondition", "preconditionFailure", "fatalError",
    "checkInvariants", "kill",
  ]

  private func range(_ node: some SyntaxProtocol) -> Range<Int> {
    node.positionAfterSkippingLeadingTrivia
      .utf8Offset..<node.endPositionBeforeTrailingTrivia.utf8Offset
  }

  private func add(_ range: Range<Int>, _ text: String, code: String) {
    found.append(Mutation(file: file, source: source, range: range, text: text, code: code))
  }

  /// Replaces an expression, unless two copies of it take the compiler too long.
  private func replace(_ node: some SyntaxProtocol, _ text: String) {
    let (range, original) = (range(node), node.trimmedDescription)
    if range.count > 300 || original.contains("{") { return }
    add(range, text, code: "(Mutant.on(#) ? \(text) : \(original))")
  }

  /// The expression that `try` and `unsafe` stand before.
  private func bare(_ node: ExprSyntax) -> ExprSyntax {
    if let node = node.as(TryExprSyntax.self) { return bare(node.expression) }
    return node.as(UnsafeExprSyntax.self).map { bare($0.expression) } ?? node
  }

  private func name(ofCall node: ExprSyntax) -> String? {
    let name = node.as(FunctionCallExprSyntax.self)?.calledExpression.trimmedDescription
    return name?.split(separator: ".").last.map(String.init)
  }

  // MARK: - Conditions

  private func negate(_ condition: ExprSyntax) -> SyntaxVisitorContinueKind {
    let condition = bare(condition)
    let operation = condition.as(InfixOperatorExprSyntax.self)?.operator.trimmedDescription ?? ""
    // Other visitors negate `!a`, `true` and `a == b`.
    if !condition.is(PrefixOperatorExprSyntax.self) && !condition.is(BooleanLiteralExprSyntax.self)
      && !["==", "!=", "===", "!=="].contains(operation)
    {
      replace(condition, "!(\(condition.trimmedDescription))")
    }
    return .visitChildren
  }

  override func visit(_ node: ConditionElementSyntax) -> SyntaxVisitorContinueKind {
    guard case .expression(let condition) = node.condition else { return .visitChildren }
    let isOnlyOne = node.parent?.as(ConditionElementListSyntax.self)?.count == 1
    if !isOnlyOne { replace(bare(condition), "true") }
    return negate(condition)
  }

  override func visit(_ node: WhereClauseSyntax) -> SyntaxVisitorContinueKind {
    negate(node.condition)
  }
  override func visit(_ node: TernaryExprSyntax) -> SyntaxVisitorContinueKind {
    negate(node.condition)
  }
  override func visit(_ node: RepeatStmtSyntax) -> SyntaxVisitorContinueKind {
    negate(node.condition)
  }

  // MARK: - Expressions

  override func visit(_ node: InfixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
    let operation = node.operator.trimmedDescription
    let (left, right) = (node.leftOperand.trimmedDescription, node.rightOperand.trimmedDescription)
    if let swapped = Self.swaps[operation] { replace(node, "\(left) \(swapped) \(right)") }
    switch operation {
    case "&&", "||": for operand in [left, right] { replace(node, operand) }
    case "??": replace(node, right)
    case "..<", "...":
      replace(node, "\(left)\(operation)\(right) \(operation == "..." ? "-" : "+") 1")
      replace(node, "\(left) + 1\(operation)\(right)")
    default: break
    }
    return .visitChildren
  }

  override func visit(_ node: PrefixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
    if node.operator.text == "!" { replace(node, node.expression.trimmedDescription) }
    return .visitChildren
  }

  override func visit(_ node: BooleanLiteralExprSyntax) -> SyntaxVisitorContinueKind {
    replace(node, node.literal.text == "true" ? "false" : "true")
    return .skipChildren
  }

  override func visit(_ node: IntegerLiteralExprSyntax) -> SyntaxVisitorContinueKind {
    replace(node, "\(node.literal.text) + 1")
    return .skipChildren
  }

  override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    if Self.claims.contains(name(ofCall: ExprSyntax(node)) ?? "") { return .skipChildren }
    for (one, other) in zip(node.arguments, node.arguments.dropFirst()) {
      let (whole, first, second) = (range(node), range(one.expression), range(other.expression))
      if source[first] == source[second] { continue }
      let swapped =
        source[whole.lowerBound..<first.lowerBound] + source[second]
        + source[first.upperBound..<second.lowerBound] + source[first]
        + source[second.upperBound..<whole.upperBound]
      replace(node, String(decoding: swapped, as: UTF8.self))
    }
    return .visitChildren
  }

  // MARK: - Statements

  override func visit(_ node: CodeBlockItemSyntax) -> SyntaxVisitorContinueKind {
    let hasEffect =
      switch node.item {
      case .expr(let expression):
        if let operation = bare(expression).as(InfixOperatorExprSyntax.self)?.operator {
          operation.trimmedDescription.hasSuffix("=")
            && Self.swaps[operation.trimmedDescription] == nil
        } else {
          name(ofCall: bare(expression)).map { !Self.claims.contains($0) } ?? false
        }
      case .stmt(let statement):
        ["throw", "break", "continue", "return"].contains(
          statement.trimmedDescription.prefix { $0 != " " })
          && statement.as(ReturnStmtSyntax.self)?.expression == nil
      default: false
      }
    if hasEffect && !Self.isRequired(node) {
      add(range(node), "", code: "if !Mutant.on(#) { \(node.trimmedDescription) }")
    }
    return .visitChildren
  }

  /// Whether a removal does not compile or changes nothing: the end of `guard`, a lone `break`.
  private static func isRequired(_ node: CodeBlockItemSyntax) -> Bool {
    guard let list = node.parent?.as(CodeBlockItemListSyntax.self), list.last == node else {
      return false
    }
    return list.parent?.parent?.is(GuardStmtSyntax.self) == true
      || list.count == 1 && list.parent?.is(SwitchCaseSyntax.self) == true
        && node.trimmedDescription == "break"
  }

  /// Adds returns at the start of a body.
  private func leave(_ body: CodeBlockItemListSyntax, _ type: TypeSyntax?) {
    guard let first = body.first else { return }
    let isExpression = first.item.is(ExprSyntax.self) || first.item.is(ExpressionStmtSyntax.self)
    let rest = type != nil && body.count == 1 && isExpression ? "return " : ""
    let values: [String] =
      switch type?.trimmedDescription {
      case nil: [""]
      case "Bool": [" true", " false"]
      case "Int": [" 0"]
      case let name? where name.hasSuffix("?"): [" nil"]
      case let name? where name.hasPrefix("["): [name.contains(":") ? " [:]" : " []"]
      default: []
      }
    let start = range(first).lowerBound
    for value in values where " \(first.trimmedDescription)" != value {
      add(start..<start, "return\(value); ", code: "if Mutant.on(#) { return\(value) }; \(rest)")
    }
  }

  override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
    if Self.claims.contains(node.name.text) { return .skipChildren }
    if let body = node.body { leave(body.statements, node.signature.returnClause?.type) }
    return .visitChildren
  }

  override func visit(_ node: PatternBindingSyntax) -> SyntaxVisitorContinueKind {
    if case .getter(let body) = node.accessorBlock?.accessors {
      leave(body, node.typeAnnotation?.type)
    }
    return .visitChildren
  }

  override func visit(_ node: AttributeSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_ node: EnumCaseDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_ node: ExpressionPatternSyntax) -> SyntaxVisitorContinueKind {
    .skipChildren
  }
  override func visit(_ node: IfConfigDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
}
