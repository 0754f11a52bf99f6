import Glibc

/// What one or two columns of a terminal show.
struct ScreenCell: Equatable, Sendable {
  /// The character, or one of those that describe it.
  private(set) var character: Unicode.Scalar
  /// The combining marks that are shown with the character.
  var marks: [Unicode.Scalar] = []
  private(set) var width = 1
  /// Whether the cell is part of a description, as `^A` and `<200d>` are.
  private(set) var isDescription = false
  /// Sequences of the prompt that set its colour, before and after the character.
  var colour: [UInt8] = []
  var colourAfter: [UInt8] = []

  static let blank = ScreenCell(character: " ")

  /// The bytes that show the cell.
  var bytes: [UInt8] {
    if marks.isEmpty && colour.isEmpty && colourAfter.isEmpty {
      return Array(String(character).utf8)
    }
    var scalars = String.UnicodeScalarView([character])
    scalars.append(contentsOf: marks)
    return colour + Array(String(scalars).utf8) + colourAfter
  }
}

/// How a character is shown while a line is edited.
///
/// A character that terminals do not show, or that changes others around it, is described instead, so
/// that everything in the line can be seen, and terminals can't differ about its width.
enum CharacterForm: Equatable, Sendable {
  case cell(ScreenCell)
  /// Shown with the character before it; described where there is none.
  case mark(Unicode.Scalar, otherwise: [ScreenCell])
  case described([ScreenCell])
  case tab
  case newline

  init(_ character: wchar_t) {
    guard let scalar = Unicode.Scalar(UInt32(bitPattern: character)) else {
      self = .described(Self.code(UInt32(bitPattern: character)))
      return
    }
    switch scalar.value {
    case 0x09: self = .tab
    case 0x0A: self = .newline
    case 0x20..<0x7F: self = .cell(ScreenCell(character: scalar))
    case 0..<0x20, 0x7F:
      let name = Unicode.Scalar(UInt8(truncatingIfNeeded: scalar.value ^ 0x40))
      self = .described(Self.description(["^", name]))
    default: self = Self.form(of: scalar)
    }
  }

  private static func form(of scalar: Unicode.Scalar) -> Self {
    let properties = scalar.properties
    let isModifier = properties.isEmojiModifier || properties.isDefaultIgnorableCodePoint
    guard let width = DisplayWidth.columns(of: scalar), !isModifier,
      properties.generalCategory != .format
    else { return .described(code(scalar.value)) }
    if width == 0 { return .mark(scalar, otherwise: code(scalar.value)) }
    return .cell(ScreenCell(character: scalar, width: width))
  }

  /// `<200d>` for U+200D.
  private static func code(_ value: UInt32) -> [ScreenCell] {
    description(Array("<\(String(value, radix: 16))>".unicodeScalars))
  }

  private static func description(_ characters: [Unicode.Scalar]) -> [ScreenCell] {
    characters.map { ScreenCell(character: $0, isDescription: true) }
  }
}
