import Glibc

/// The locale of this process.
///
/// SAFETY: `setlocale` is called with strings that outlive the call, before anything else uses the
/// locale.
@safe enum ProcessLocale {
  /// Takes over the locale of the environment, which regular expressions and the system's messages
  /// follow. The categories that nothing here looks at would cost time at every start.
  static func adopt() {
    for category in [LC_CTYPE, LC_COLLATE, LC_MESSAGES] { unsafe setlocale(category, "") }
  }
}
