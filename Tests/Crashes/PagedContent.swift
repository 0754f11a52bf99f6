/// A file as a list of page numbers. Equal pages are kept once, so versions are small and quick to
/// compare.
struct PagedContent: Hashable {
  static let pageSize = 4096

  var size = 0
  /// The pages' numbers in the store; pages after them are 0.
  var pages: [Int] = []

  /// The store's number of a page, by its index here.
  func page(_ number: Int) -> Int { number < pages.count ? pages[number] : 0 }

  mutating func set(_ number: Int, to page: Int) {
    while pages.count <= number { pages.append(0) }
    pages[number] = page
  }
}

/// All pages of all files. Page 0 is zero.
struct PageStore {
  private(set) var pages = [[UInt8](repeating: 0, count: PagedContent.pageSize)]
  private var numbers: [[UInt8]: Int] = [:]

  init() { numbers[pages[0]] = 0 }

  mutating func number(of page: [UInt8]) -> Int {
    if let number = numbers[page] { return number }
    numbers[page] = pages.count
    pages.append(page)
    return pages.count - 1
  }

  mutating func content(of bytes: [UInt8]) -> PagedContent {
    var content = PagedContent()
    write(bytes[...], at: 0, to: &content)
    return content
  }

  /// Overwrites bytes of a file, or appends to it.
  mutating func write(_ bytes: ArraySlice<UInt8>, at offset: Int, to content: inout PagedContent) {
    var (rest, place) = (bytes, offset)
    while !rest.isEmpty {
      let start = place % PagedContent.pageSize
      let part = rest.prefix(PagedContent.pageSize - start)
      var page = pages[content.page(place / PagedContent.pageSize)]
      page.replaceSubrange(start..<(start + part.count), with: part)
      content.set(place / PagedContent.pageSize, to: number(of: page))
      rest = rest.dropFirst(part.count)
      place += part.count
    }
    content.size = max(content.size, place)
  }

  /// Cuts a file, or makes it longer by zeros.
  mutating func resize(_ content: inout PagedContent, to size: Int) {
    if size < content.size {
      let count = (size + PagedContent.pageSize - 1) / PagedContent.pageSize
      content.pages = Array(content.pages.prefix(count))
      let end = size % PagedContent.pageSize
      if end > 0 && content.pages.count == count {
        var page = pages[content.pages[count - 1]]
        for index in end..<page.count { page[index] = 0 }
        content.pages[count - 1] = number(of: page)
      }
    }
    content.size = size
  }

  /// A page with the first bytes of one page and the rest of another.
  mutating func torn(_ first: Int, _ second: Int, at split: Int) -> Int {
    number(of: Array(pages[first][..<split]) + pages[second][split...])
  }

  func bytes(of content: PagedContent) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(content.size)
    var number = 0
    while bytes.count < content.size {
      bytes += pages[content.page(number)].prefix(content.size - bytes.count)
      number += 1
    }
    return bytes
  }
}
