#if canImport(AppKit)
  import AppKit
#elseif canImport(UIKit)
  import UIKit
#endif

#if canImport(AppKit) || canImport(UIKit)
  /// Keeps a model in step with the storage of a text view, and undoes in both.
  @MainActor public final class TextViewCoordinator: NSObject, @MainActor NSTextStorageDelegate {
    #if canImport(AppKit)
      /// What has changed in a storage.
      public typealias EditActions = NSTextStorageEditActions
    #else
      /// What has changed in a storage.
      public typealias EditActions = NSTextStorage.EditActions
    #endif

    /// The text and its history.
    public private(set) var model: EditorModel
    private let storage: NSTextStorage
    private var isUndoing = false

    /// A coordinator of the storage of a text view.
    public init(_ storage: NSTextStorage) {
      self.storage = storage
      model = EditorModel(storage.string)
      super.init()
      storage.delegate = self
    }

    /// What the user has typed goes into the model.
    public func textStorage(
      _ storage: NSTextStorage, didProcessEditing actions: EditActions, range: NSRange,
      changeInLength delta: Int
    ) {
      guard actions.contains(.editedCharacters), !isUndoing else { return }
      let replaced = range.location..<range.location + range.length - delta
      model.replace(utf16: replaced, with: (storage.string as NSString).substring(with: range))
    }

    /// Takes the latest step back, in the view too.
    public func undo() { show(model.undo()) }

    /// Makes the step again that was taken back last, in the view too.
    public func redo() { show(model.redo()) }

    private func show(_ edits: [UTF16Edit]) {
      isUndoing = true
      defer { isUndoing = false }
      storage.beginEditing()
      for edit in edits {
        storage.replaceCharacters(in: NSRange(edit.range), with: edit.string)
      }
      storage.endEditing()
    }
  }
#endif
