import Glibc

/// The locale of the process.
///
/// SAFETY: `setlocale` is called before anything else uses the locale, on the only thread.
@safe enum ProcessLocale {
  /// Adopts the locale of the environment, for regular expressions and the system's messages. The other
  /// categories are not needed and would only delay the start.
  static func adopt() {
    for category in [LC_CTYPE, LC_COLLATE, LC_MESSAGES] { unsafe setlocale(category, "") }
  }
}
