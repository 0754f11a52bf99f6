/// Finds a short list of edits (removals and additions) that turns one sequence into another.
///
/// The sequences span a grid: point (x, y) lies after x old and y new elements. A step right
/// removes an element, a step down adds one, and a diagonal step keeps one. The search extends
/// furthest-reaching paths from both corners of a box, one more edit at a time. The point where
/// they meet is on a shortest path and cuts the box in two, and both parts are searched in the same
/// way (E. W. Myers, An O(ND) Difference Algorithm and Its Variations, 1986). If they have not met
/// after `costLimit` edits, the box is cut at the end of the path that got furthest. Long sequences
/// are first cut at long common parts, and only the boxes between these parts are searched.
struct EditSearch {
  private struct Box {
    var x0: Int
    var x1: Int
    var y0: Int
    var y1: Int
  }

  private var costLimit = 0
  /// Which elements of the old sequence are removed.
  private(set) var isRemoved: [Bool]
  /// Which elements of the new sequence are added.
  private(set) var isAdded: [Bool]
  /// The number of diagonals visited, as a measure of the work.
  private(set) var stepCount = 0

  /// Runs the search. `effort` limits the number of steps, approximately.
  init(from old: [Int32], to new: [Int32], effort: LineDifference.Effort) {
    isRemoved = [Bool](repeating: false, count: old.count)
    isAdded = [Bool](repeating: false, count: new.count)
    let isBig = old.count + new.count > effort.maxUncutLineCount
    let boxes = Self.boxes(
      between: isBig ? WindowMatches.chain(old, new) : [], x1: old.count, y1: new.count)
    let elementCount = boxes.reduce(0) { $0 + $1.x1 - $1.x0 + $1.y1 - $1.y0 }
    costLimit = max(effort.leastCost, effort.stepCount / max(elementCount, 1))
    let (old, new) = (old[...], new[...])
    search(boxes, old.span, new.span)
  }

  /// The boxes between common parts.
  private static func boxes(between matches: [Match], x1: Int, y1: Int) -> [Box] {
    var boxes: [Box] = []
    var (x0, y0) = (0, 0)
    for match in matches {
      boxes.append(Box(x0: x0, x1: match.oldStart, y0: y0, y1: match.newStart))
      (x0, y0) = (match.oldEnd, match.newEnd)
    }
    return boxes + [Box(x0: x0, x1: x1, y0: y0, y1: y1)]
  }

  private mutating func search(_ start: [Box], _ old: Span<Int32>, _ new: Span<Int32>) {
    var forwardPlaces = ContiguousArray<Int32>(repeating: 0, count: old.count + new.count + 3)
    var backwardPlaces = forwardPlaces
    var forward = forwardPlaces.mutableSpan
    var backward = backwardPlaces.mutableSpan
    var boxes = start
    while var box = boxes.popLast() {
      while box.x0 < box.x1, box.y0 < box.y1, old[box.x0] == new[box.y0] {
        box.x0 += 1
        box.y0 += 1
      }
      while box.x0 < box.x1, box.y0 < box.y1, old[box.x1 - 1] == new[box.y1 - 1] {
        box.x1 -= 1
        box.y1 -= 1
      }
      if box.x0 == box.x1 || box.y0 == box.y1 {
        for x in box.x0..<box.x1 { isRemoved[x] = true }
        for y in box.y0..<box.y1 { isAdded[y] = true }
      } else {
        let (x, y) = middle(of: box, old, new, &forward, &backward)
        boxes.append(Box(x0: x, x1: box.x1, y0: y, y1: box.y1))
        boxes.append(Box(x0: box.x0, x1: x, y0: box.y0, y1: y))
      }
    }
  }

  /// Finds a point of `box`, other than its two corners, that a good path goes through.
  ///
  /// `forward` and `backward` are scratch space, indexed by the diagonal x - y: the largest x
  /// reached from the start of the box, and the smallest x reached from its end.
  ///
  /// - Precondition: The first elements of the box differ, and so do the last ones.
  private mutating func middle(
    of box: Box, _ old: Span<Int32>, _ new: Span<Int32>, _ forward: inout MutableSpan<Int32>,
    _ backward: inout MutableSpan<Int32>
  ) -> (Int, Int) {
    let zero = new.count + 1
    let lowest = box.x0 - box.y1
    let highest = box.x1 - box.y0
    let start = box.x0 - box.y0
    let end = box.x1 - box.y1
    let meetsForward = (start - end) % 2 != 0
    forward[zero + start] = Int32(box.x0)
    backward[zero + end] = Int32(box.x1)

    var cost = 1
    while true {
      let starts = Diagonals(around: start, cost: cost, from: lowest, to: highest)
      let ends = Diagonals(around: end, cost: cost, from: lowest, to: highest)
      if starts.first == start - cost { forward[zero + starts.first - 1] = -1 }
      if starts.last == start + cost { forward[zero + starts.last + 1] = -1 }
      stepCount += starts.count + ends.count
      // Coordinates cannot overflow. Unchecked arithmetic saves 7 % of a comparison.
      var diagonal = starts.last
      while diagonal >= starts.first {
        let index = zero + diagonal
        var x = Int(max(forward[index - 1] &+ 1, forward[index + 1]))
        var y = x &- diagonal
        while x < box.x1, y < box.y1, old[x] == new[y] {
          x &+= 1
          y &+= 1
        }
        forward[index] = Int32(truncatingIfNeeded: x)
        if meetsForward, abs(diagonal &- end) < cost, x >= backward[index] {
          return (x, y)
        }
        diagonal -= 2
      }
      if ends.first == end - cost { backward[zero + ends.first - 1] = .max }
      if ends.last == end + cost { backward[zero + ends.last + 1] = .max }
      diagonal = ends.last
      while diagonal >= ends.first {
        let index = zero + diagonal
        var x = Int(min(backward[index - 1], backward[index + 1] &- 1))
        var y = x &- diagonal
        while x > box.x0, y > box.y0, old[x &- 1] == new[y &- 1] {
          x &-= 1
          y &-= 1
        }
        backward[index] = Int32(truncatingIfNeeded: x)
        if !meetsForward, abs(diagonal &- start) <= cost, x <= forward[index] {
          return (x, y)
        }
        diagonal -= 2
      }
      if cost >= costLimit { break }
      cost += 1
    }

    // The paths have not met: take the end of the one that got furthest.
    var best = (x: box.x0, y: box.y0, progress: 0)
    for diagonal in Diagonals(around: start, cost: cost, from: lowest, to: highest).all {
      let x = min(Int(forward[zero + diagonal]), box.x1, box.y1 + diagonal)
      let progress = x - box.x0 + x - diagonal - box.y0
      if progress > best.progress { best = (x, x - diagonal, progress) }
    }
    for diagonal in Diagonals(around: end, cost: cost, from: lowest, to: highest).all {
      let x = max(Int(backward[zero + diagonal]), box.x0, box.y0 + diagonal)
      let progress = box.x1 - x + box.y1 - (x - diagonal)
      if progress > best.progress { best = (x, x - diagonal, progress) }
    }
    return (best.x, best.y)
  }
}

/// The diagonals of a box that a path of exactly `cost` edits can end on: every second one.
private struct Diagonals {
  var first: Int
  var last: Int

  init(around middle: Int, cost: Int, from lowest: Int, to highest: Int) {
    first = middle - cost
    if first < lowest { first = lowest + (lowest - first) % 2 }
    last = middle + cost
    if last > highest { last = highest - (last - highest) % 2 }
  }

  var count: Int { (last - first) / 2 + 1 }

  var all: StrideThrough<Int> { stride(from: first, through: last, by: 2) }
}
