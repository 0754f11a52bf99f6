/// The main subject of a generated script. Each mixes in the other commands too.
package enum Category: String, Sendable, CaseIterable {
  case addresses, printing, entering, substitution, patterns, globals, interactive, marks, undo
  case moving, files, shell, modes, mistakes, mixed
  /// Lines with equal texts.
  case equals
  /// Locales with other encodings than ASCII and UTF-8.
  case encodings
  /// Pipes, devices, and standard input under other names.
  case streams

  /// The relative frequency of the category.
  var weight: Int {
    switch self {
    case .substitution, .globals, .mixed: 14
    case .addresses, .undo, .files, .patterns: 10
    case .entering, .marks, .moving, .shell: 7
    case .printing, .interactive, .modes, .mistakes: 5
    case .equals, .encodings, .streams: 8
    }
  }

  /// The commands it favours.
  var favourites: [(weight: Int, value: Ingredient)] {
    switch self {
    case .addresses: [(6, .print), (3, .number), (1, .delete), (1, .null)]
    case .printing: [(4, .print), (3, .scroll), (1, .null), (1, .number)]
    case .entering: [(6, .enter), (1, .number), (1, .print), (1, .copy)]
    case .substitution: [(8, .substitute), (2, .repeatSubstitute), (1, .print)]
    case .patterns: [(5, .substitute), (2, .print), (2, .global), (1, .enter)]
    case .globals: [(8, .global), (1, .substitute), (1, .undo), (1, .print)]
    case .interactive: [(5, .interactive), (1, .undo), (1, .print)]
    case .marks:
      [
        (5, .mark), (5, .printMark), (2, .move), (1, .copy), (1, .delete), (1, .join), (2, .undo),
        (1, .substitute), (1, .enter), (1, .global),
      ]
    case .undo:
      [
        (8, .undo), (2, .delete), (2, .enter), (2, .substitute), (2, .move), (2, .copy), (2, .join),
        (2, .global), (1, .read), (1, .put), (1, .yank), (1, .write), (1, .mark), (1, .printMark),
        (1, .edit), (1, .interactive), (1, .number),
      ]
    case .moving: [(4, .move), (4, .copy), (2, .yank), (3, .put), (2, .join), (2, .delete)]
    case .files: [(4, .write), (4, .read), (3, .edit), (3, .name), (2, .leave), (1, .delete)]
    case .shell: [(6, .shell), (2, .read), (2, .write), (1, .name), (1, .edit)]
    case .modes: [(3, .modes), (2, .print), (1, .enter), (1, .leave), (1, .global), (1, .move)]
    case .mistakes: [(6, .mistake), (2, .modes), (1, .leave), (1, .delete)]
    case .equals:
      [
        (8, .undo), (5, .mark), (6, .printMark), (4, .substitute), (3, .enter), (3, .move),
        (3, .global), (1, .copy), (1, .join), (1, .delete), (1, .put),
      ]
    case .encodings: [(8, .substitute), (4, .global), (2, .print), (2, .enter), (1, .read)]
    case .streams: [(8, .stream), (2, .print), (1, .enter), (1, .global), (1, .delete)]
    case .mixed: Ingredient.everything
    }
  }
}

/// One command, or one command with its text.
package enum Ingredient: Sendable {
  case print, null, number, scroll, enter, delete, join, move, copy, yank, put, mark, printMark
  case substitute, repeatSubstitute, global, interactive, undo, read, write, edit, name, leave
  case shell, modes, comment, mistake, stream

  /// All of them, weighted for a script about nothing in particular.
  static let everything: [(weight: Int, value: Ingredient)] = [
    (8, .print), (3, .null), (4, .number), (2, .scroll), (8, .enter), (6, .delete), (4, .join),
    (4, .move), (4, .copy), (3, .yank), (3, .put), (3, .mark), (3, .printMark), (10, .substitute),
    (4, .repeatSubstitute), (6, .global), (1, .interactive), (6, .undo), (3, .read), (3, .write),
    (1, .edit), (1, .name), (1, .leave), (2, .shell), (2, .modes), (1, .comment), (4, .mistake),
    (1, .stream),
  ]
}
