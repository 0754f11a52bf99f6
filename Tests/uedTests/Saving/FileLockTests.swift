import Differential
import Glibc
import Synchronization
import TextBuffer
import Testing

@testable import ued

/// Locks by which writers of a file take turns.
@Suite struct FileLockTests {
  private let sandbox = Sandbox()

  private func path(_ name: String) -> [UInt8] { Array((sandbox.path + "/" + name).utf8) }

  /// Locks a file for a moment. Returns whether there is a file.
  @discardableResult
  private func canLock(_ name: String, waitingAtMost seconds: Double = Process.patience) throws
    -> Bool
  {
    try FileLocks([path(name)], waitingAtMost: seconds).identities[0] != nil
  }

  @Test func `a second lock waits until the value of the first one is gone`() throws {
    sandbox["f"] = [10]
    #expect(try canLock("f"))
    let first = try FileLocks([path("f")])
    #expect(throws: SystemError(code: ETIMEDOUT)) { try canLock("f", waitingAtMost: 0.05) }
    #expect(throws: SystemError(code: ETIMEDOUT)) { try canLock("f", waitingAtMost: 0) }
    _ = consume first
    #expect(try canLock("f"))
  }

  @Test(arguments: ["missing", "folder", "fifo", "missing/f", "dangling", "program"])
  func `without a file to lock, there is no lock and no error`(_ name: String) throws {
    sandbox.run(
      """
      mkdir folder; mkfifo fifo; ln -s nothing dangling; cp /bin/sleep program
      ./program infinity </dev/null >/dev/null 2>&1 & until test /proc/$!/exe -ef program; do :; done
      echo $! >pid
      """)
    #expect(try !canLock(name))
    sandbox.run("kill $(cat pid)")
  }

  @Test func `another program's flock does not count`() throws {
    sandbox["f"] = [10]
    sandbox.run("flock f true")
    let file = try OpenFile(path("f"), O_RDONLY)
    #expect(flock(file.descriptor, LOCK_EX) == 0)
    #expect(try canLock("f"))
  }

  @Test func `a file replaced during the wait is locked under its new inode`() throws {
    sandbox["f"] = [10]
    sandbox["g"] = [10]
    sandbox.run("ln -s f link")
    let old = try FileLocks([path("link")])
    let oldIdentity = old.identities[0]?.number
    let found = Found()
    let name = path("link")
    let waiter = Thread {
      found.state.withLock { $0 = ProcessState.ofThisThread }
      guard let lock = try? FileLocks([name], waitingAtMost: Process.patience) else { return }
      let identity = lock.identities[0]
      found.identity.withLock { $0 = identity }
    }
    while found.state.withLock({ $0?.isWaiting() }) != true { sched_yield() }
    rename(sandbox.path + "/g", sandbox.path + "/f")
    _ = consume old
    waiter.join()
    let identity = try #require(found.identity.withLock { $0 })
    #expect(identity.number != oldIdentity)
  }

  private final class Found: Sendable {
    let identity = Mutex<FileIdentity?>(nil)
    let state = Mutex<ProcessState?>(nil)
  }

  /// Another open file, with a lock on some of its bytes.
  private final class Other: @unchecked Sendable {
    private let descriptor: Int32
    private var count = 0

    init(_ path: String, for flags: Int32 = O_RDWR) { descriptor = open(path, flags) }
    deinit { close(descriptor) }

    /// Locks half of the range, from `start`, each time a byte less.
    func lock(_ type: Int32, start: Int = 0) {
      count += 1
      let length = 1 << 61 - count
      set(F_UNLCK, start, 1 << 61)
      set(type, start, length)
    }

    func unlock() { set(F_UNLCK, 0, 0) }

    private func set(_ type: Int32, _ start: Int, _ length: Int) {
      var lock = flock(
        l_type: Int16(type), l_whence: Int16(SEEK_SET), l_start: start, l_len: length, l_pid: 0)
      #expect(fcntl(descriptor, 37, &lock) == 0)
    }
  }

  @Test func `promise 23: another process's read lock is ignored`() throws {
    sandbox["f"] = [10]
    let other = Other(sandbox.path + "/f", for: O_RDONLY)
    other.lock(F_RDLCK)
    #expect(try canLock("f", waitingAtMost: Process.patience))
  }

  @Test func `promise 23: the wait for a lock that keeps changing hands has a limit`()
    throws
  {
    sandbox["f"] = [10]
    let path = sandbox.path + "/f"
    let (hasBegun, isOver) = (Counter(), Counter())
    let attacker = Thread {
      let others = [Other(path), Other(path)]
      while isOver.count.load(ordering: .relaxed) == 0 {
        for (index, other) in others.enumerated() { other.lock(F_WRLCK, start: index << 61) }
        hasBegun.count.store(1, ordering: .relaxed)
        usleep(10_000)
      }
    }
    while hasBegun.count.load(ordering: .relaxed) == 0 { sched_yield() }
    #expect(throws: SystemError(code: ETIMEDOUT)) { try canLock("f", waitingAtMost: 0.1) }
    isOver.count.store(1, ordering: .relaxed)
    attacker.join()
  }

  @Test(.enabled(if: geteuid() == 0, "only root can become another user"))
  func `promise 23: another user's lock on a folder keeps nobody from creating a file there`() {
    sandbox.run(
      """
      mkdir -m 755 d; chmod 755 .
      setpriv --reuid 65534 --regid 65534 --clear-groups flock d sleep infinity &
      awaits eval '! flock -n d true'
      printf 'a\\nx\\n.\\n' >s; "$UED" -i --create -f s d/f; test "$(cat d/f)" = x
      pkill -P $!
      """)
  }

  @Test func `promise 23: a process that holds a lock is named`() async throws {
    sandbox["f"] = [10]
    let locks = try FileLocks([path("f")])
    await #expect(processExitsWith: .success) { [path = path("f") as [UInt8]] in
      let holder = LockHolder.find(on: [path])
      #expect(holder?.process == getppid() && holder?.command.isEmpty == false)
    }
    _ = consume locks
    let holder = LockHolder(process: 7, command: Array("v\u{1B}i".utf8))
    let said = ErrorEntry(.fileIsLocked(by: holder)).message
    #expect(String(decoding: said, as: UTF8.self).contains("locked by 'v^[i' (process 7); try"))
  }

  @Test func `a wait goes on if the lock changes hands`() throws {
    sandbox["f"] = [10]
    let path = sandbox.path + "/f"
    let isOver = Counter()
    let (first, second) = (Other(path), Other(path))
    second.lock(F_WRLCK, start: 1 << 61)
    first.lock(F_WRLCK)
    let holders = Thread {
      // The last change comes after 2.5 s, past the limit of 2 s; one comes every 20 ms.
      for turn in 0..<125 {
        usleep(20_000)
        (turn % 2 == 0 ? first : second).lock(F_WRLCK, start: (turn % 2) << 61)
      }
      isOver.count.store(1, ordering: .releasing)
      first.unlock()
      second.unlock()
    }
    #expect(try canLock("f", waitingAtMost: 2))
    #expect(isOver.count.load(ordering: .acquiring) == 1)
    holders.join()
  }

  @Test func `fifty writers at once all get their turn`() throws {
    sandbox["f"] = Array("0\n".utf8)
    let failures = Counter()
    let name = path("f")
    let folder = sandbox.path
    let threads = (0..<50).map { number in
      Thread {
        do {
          let lock = try FileLocks([name], waitingAtMost: Process.patience)
          let text = Disk.read(folder + "/f") ?? []
          sched_yield()
          Disk.write("\(folder)/new\(number)", text + [0x78, 10])
          // Half of them replace the file, the others write over it.
          if number % 2 == 0 {
            rename("\(folder)/new\(number)", folder + "/f")
          } else {
            Disk.write(folder + "/f", text + [0x78, 10])
          }
          if lock.identities == [nil] { failures.count.add(1, ordering: .relaxed) }
        } catch {
          failures.count.add(1, ordering: .relaxed)
        }
      }
    }
    for thread in threads { thread.join() }
    #expect(failures.count.load(ordering: .relaxed) == 0)
    #expect(sandbox["f"]?.count == 2 + 100)
  }

  @Test func `a file with several names is locked once`() throws {
    sandbox.run("echo 1 >f; echo 2 >g; ln f hard; ln -s f soft")
    let locks = try FileLocks(
      ["soft", "g", "f", "none", "hard"].map { path($0) }, waitingAtMost: 0)
    let numbers = locks.identities.map { $0?.number }
    #expect(numbers[0] == numbers[2] && numbers[0] == numbers[4] && numbers[0] != numbers[1])
    #expect(numbers[3] == nil)
    #expect(throws: SystemError(code: ETIMEDOUT)) { try canLock("g", waitingAtMost: 0) }
  }

  @Test func `runs over the same files in different orders never deadlock`() throws {
    for name in 0..<8 { sandbox["\(name)"] = [10] }
    let failures = Counter()
    let folder = sandbox.path
    let threads = (0..<16).map { seed in
      Thread {
        var random = SeededGenerator(seed: UInt64(seed))
        for _ in 0..<10 {
          let paths = (0..<8).map { Array("\(folder)/\($0)".utf8) }.shuffled(using: &random)
          do {
            let locks = try FileLocks(Array(paths.prefix(5)), waitingAtMost: Process.patience)
            let name = String(decoding: paths[0], as: UTF8.self)
            Disk.write("\(name).\(seed)", [10])
            rename("\(name).\(seed)", name)
            if locks.identities.contains(nil) { failures.count.add(1, ordering: .relaxed) }
          } catch {
            failures.count.add(1, ordering: .relaxed)
          }
        }
      }
    }
    for thread in threads { thread.join() }
    #expect(failures.count.load(ordering: .relaxed) == 0)
  }
}

private final class Counter: Sendable {
  let count = Atomic<Int>(0)
}

/// A thread that may block.
private final class Thread: @unchecked Sendable {
  private let body: @Sendable () -> Void
  private var thread = pthread_t()

  init(_ body: @escaping @Sendable () -> Void) {
    self.body = body
    let this = Unmanaged.passRetained(self)
    pthread_create(
      &thread, nil,
      {
        guard let context = $0 else { return nil }
        let this = Unmanaged<Thread>.fromOpaque(context).takeRetainedValue()
        this.body()
        return nil
      }, this.toOpaque())
  }

  func join() { pthread_join(thread, nil) }
}
