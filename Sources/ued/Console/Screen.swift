/// A terminal that shows one page at a time instead of scrolling lines. A view asks for keys, one
/// after the other, and shows a page before each wait.
protocol Screen: AnyObject {
  /// Takes over the terminal, whose content comes back with ``close()``.
  func open()
  /// Gives the terminal back as it was before ``open()``.
  func close()
  /// The size of the terminal, with defaults where unknown.
  var size: TerminalSize { get }
  /// Whether ``nextEvent()`` can answer without waiting, so that no page has to be shown before.
  var hasEventAhead: Bool { get }
  func show(_ frame: ScreenFrame)
  /// Drops keys that were typed ahead.
  func dropKeys()
  func nextEvent() -> ScreenEvent
}

/// The lines of a page, and the place of its cursor, from 0. A line that sets colours also
/// resets them; no line is wider than the terminal.
struct ScreenFrame: Equatable, Sendable {
  var lines: [String] = []
  var cursorRow = 0
  var cursorColumn = 0
}

/// An event that a view waits for.
enum ScreenEvent: Equatable, Sendable {
  case key(ScreenKey)
  /// The terminal has another size, or another process has used it.
  case redraw
  /// SIGINT arrived and is handled, or `Interrupts.hangUp` is set.
  case interrupted
  /// No more keys can come.
  case end
}

/// A key, or what was pasted.
enum ScreenKey: Equatable, Sendable {
  case up, down, left, right, pageUp, pageDown, home, end
  case enter, escape, backspace
  /// `^U`, which deletes a typed line.
  case clear
  case character(Character)
  /// Text without control characters.
  case pasted(String)
}

/// The division of a page: a list, a pane to its right or below it, a line for a note, and a last
/// line for keys.
struct ScreenSplit: Equatable, Sendable {
  let columns: Int
  let rows: Int
  let listColumns: Int
  let listRows: Int
  /// Without room for a pane, both numbers are 0.
  let paneColumns: Int
  let paneRows: Int
  let hasNote: Bool

  /// Whether the pane is to the right of the list. Below the list, a row with a title separates both.
  var isBeside: Bool { paneColumns > 0 && paneColumns < columns }

  /// The rows above the note and the last line.
  var bodyRows: Int { isBeside || paneRows == 0 ? listRows : listRows + 1 + paneRows }

  /// Divides a page; `hasNote` if one row has a note.
  init(_ size: TerminalSize, hasNote: Bool) {
    (columns, rows) = (max(size.columns, 1), max(size.rows, 1))
    // A note never takes the last row of the list.
    self.hasNote = hasNote && rows > 2
    let body = max(rows - 1 - (self.hasNote ? 1 : 0), 1)
    if columns >= Self.fewestBeside {
      (listColumns, listRows) = (columns * 11 / 20, body)
      (paneColumns, paneRows) = (columns - listColumns - Self.gap, body)
    } else if body >= Self.fewestBelow {
      (listColumns, listRows) = (columns, body * 3 / 5)
      (paneColumns, paneRows) = (columns, body - listRows - 1)
    } else {
      (listColumns, listRows) = (columns, body)
      (paneColumns, paneRows) = (0, 0)
    }
  }

  /// The columns between a list and the pane beside it.
  static let gap = 3
  /// The columns of a terminal from which on the pane is beside the list.
  private static let fewestBeside = 100
  /// The rows from which on there is a pane below the list.
  private static let fewestBelow = 6
}
