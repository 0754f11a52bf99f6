import Glibc

/// The locale of this process.
///
/// SAFETY: `setlocale` is called with strings that outlive the call, before anything else uses the
/// locale.
@safe enum ProcessLocale {
  /// Takes over the locale of the environment, which regular expressions follow.
  static func adopt() {
    unsafe setlocale(LC_ALL, "")
  }
}
