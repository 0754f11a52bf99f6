// A library to preload: it records what a program does to the files below a folder, and lets its calls fail.
//
// The library interposes the libc functions that ued and its SQLite use to change files. Environment variables
// control it, in the program and in all its children:
//
// - UED_DISK_ROOT: the folder. Calls on other files pass through and are not counted. Without this variable
//   nothing is recorded and nothing fails.
// - UED_DISK_RECORD: the record, a file outside of the folder. Each successful change is appended to it.
// - UED_DISK_FAIL: rules "K:WHAT:once[:CALL]" or "K:WHAT:always[:CALL]", separated by commas. The K-th change of
//   a process fails with WHAT, and with "always" each later one too. With CALL the K-th call of that name fails,
//   such as read or flock; it need not be a change. WHAT is the name or number of an error; SHORT (a write writes
//   half of its bytes); KILL and KILLAFTER (the process is killed before or after the call); TORN (killed when
//   half is written).
// - UED_DISK_KILL=K is short for the rule K:KILL:once.
// - UED_DISK_CLOCK: offsets "SECONDS[@K]", separated by commas. From the K-th change of a process on, its clocks
//   of the day are off by SECONDS. Monotonic clocks do not change.
//
// - UED_DISK_INODES: a file of lines "REAL SHOWN": the program sees SHOWN instead of the inode number REAL. To all
//   other numbers 2^48 is added.
//
// A CALL has the short name of its family: write, pwrite, open, rename, link, unlink, fsync (fdatasync too).
//
// The record. An entry is a line "PID K CALL INODE OFFSET LENGTH N M D" with N bytes of a path after it, M bytes
// of a second path, D bytes of data, and a newline. Paths are absolute, without links in their folders.
//
// CALL is one of
//   create, mkdir      OFFSET is the mode
//   write              the bytes at OFFSET
//   truncate           LENGTH is the new size
//   allocate           LENGTH bytes at OFFSET exist from now on; new ones are zero
//   rename, exchange   from the first to the second path (exchange: both change places)
//   link, symlink      the second path is the new name; of a symlink the first one is its text
//   unlink, rmdir      of INODE
//   chmod, chown       OFFSET is the mode, or the owner
//   sync               of the file or folder, or ("syncfs") of everything; OFFSET and LENGTH are the seconds and
//                      nanoseconds of its last change
//   failed             a call that a rule made fail: OFFSET is the error, the path is the name of the call
//   said               bytes written to standard output
//   map                the file is mapped for writing; writes to the mapping are not recorded
//
// Invariants: a change and its entry are made under one lock: a mutex for threads, a lock of the record for
// processes. Entries are thus in the order of the changes and never torn. System calls do the real work, so nothing
// here calls itself. A successful call does not change errno. The descriptor of the record is a high one and closed
// on exec, so the library does not change a program's other descriptors.
#ifdef __linux__
#include "Disk.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>

enum { rule_limit = 16, HALF = -1, BEFORE = -2, AFTER = -3, TORN = -4 };

struct rule { long at, seen; int what, always; char call[16]; };
struct jump { long at, seconds; };

static struct rule rules[rule_limit];
static struct jump jumps[rule_limit];
static int rule_count, jump_count;
int record = -1;
static char root[PATH_MAX];
static size_t root_length;
static long change_count;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static int number_of(const char *what) {
  static const struct { const char *name; int number; } names[] = {
    {"SHORT", HALF}, {"KILL", BEFORE}, {"KILLAFTER", AFTER}, {"TORN", TORN}, {"EIO", EIO},
    {"ENOSPC", ENOSPC}, {"EINTR", EINTR}, {"EACCES", EACCES}, {"EPERM", EPERM}, {"EROFS", EROFS},
    {"EDQUOT", EDQUOT}, {"ENOMEM", ENOMEM}, {"EMFILE", EMFILE}, {"ENOLCK", ENOLCK}, {"EBUSY", EBUSY},
    {"EAGAIN", EAGAIN}, {"EINVAL", EINVAL}, {"ENOENT", ENOENT}, {"EXDEV", EXDEV}, {"ESTALE", ESTALE},
    {"EMLINK", EMLINK}, {"EFBIG", EFBIG}, {"EOPNOTSUPP", EOPNOTSUPP},
  };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!strcmp(names[i].name, what)) return names[i].number;
  return atoi(what);
}

static void set_up(void) {
  const char *folder = getenv("UED_DISK_ROOT"), *path = getenv("UED_DISK_RECORD");
  const char *failing = getenv("UED_DISK_FAIL"), *deadly = getenv("UED_DISK_KILL");
  const char *clock = getenv("UED_DISK_CLOCK");
  if (!folder || !realpath(folder, root)) return;
  root_length = strlen(root);
  while (failing && *failing && rule_count < rule_limit - 1) {
    struct rule *rule = &rules[rule_count];
    char what[16] = "", mode[16] = "";
    if (sscanf(failing, "%ld:%15[^:,]:%15[^:,]:%15[^,]", &rule->at, what, mode, rule->call) < 3) break;
    rule->what = number_of(what);
    rule->always = !strcmp(mode, "always");
    rule_count++;
    failing += strcspn(failing, ",");
    failing += *failing == ',';
  }
  if (deadly) rules[rule_count++] = (struct rule){.at = atol(deadly), .what = BEFORE};
  while (clock && *clock && jump_count < rule_limit) {
    if (sscanf(clock, "%ld@%ld", &jumps[jump_count].seconds, &jumps[jump_count].at) < 1) break;
    jump_count++;
    clock += strcspn(clock, ",");
    clock += *clock == ',';
  }
  if (!path) return;
  int file = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  struct rlimit limit = {0};
  getrlimit(RLIMIT_NOFILE, &limit);
  int high = (int)(limit.rlim_cur < 1024 ? limit.rlim_cur : 1024) - 16;
  record = (int)syscall(SYS_fcntl, file, F_DUPFD_CLOEXEC, (long)(high > 0 ? high : 0));
  syscall(SYS_close, file);
}

// MARK: - Where things are

static int is_below(const char *path) {
  return root_length && !strncmp(path, root, root_length) &&
         (path[root_length] == '/' || path[root_length] == 0);
}

int path_of(int file, char path[PATH_MAX]) {
  pthread_once(&once, set_up);
  if (!root_length || file == record) return 0;
  int kept = errno;
  char link[40];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t count = readlink(link, path, PATH_MAX - 1);
  errno = kept;
  path[count < 0 ? 0 : count] = 0;
  return is_below(path);
}

int place(int folder, const char *name, char path[PATH_MAX]) {
  pthread_once(&once, set_up);
  path[0] = 0;
  if (!root_length || !name) return 0;
  int kept = errno;
  char joined[2 * PATH_MAX] = "", parent[PATH_MAX];
  if (name[0] != '/') {
    if (folder == AT_FDCWD) { if (!getcwd(joined, PATH_MAX)) joined[0] = 0; }
    else path_of(folder, joined);
    strcat(joined, "/");
  }
  strncat(joined, name, PATH_MAX - 1);
  size_t length = strlen(joined);
  while (length > 1 && joined[length - 1] == '/') joined[--length] = 0;
  char *slash = strrchr(joined, '/');
  if (slash) *slash = 0;
  if (slash && realpath(joined[0] ? joined : "/", parent))
    snprintf(path, PATH_MAX, "%.*s/%.255s", PATH_MAX - 300, strcmp(parent, "/") ? parent : "", slash + 1);
  errno = kept;
  return is_below(path);
}

// MARK: - A call

static void lock(void) {
  pthread_mutex_lock(&mutex);
  if (record >= 0) while (syscall(SYS_flock, record, LOCK_EX) < 0 && errno == EINTR) {}
}

static void unlock(void) {
  if (record >= 0) syscall(SYS_flock, record, LOCK_UN);
  pthread_mutex_unlock(&mutex);
}

void note(const char *call, uint64_t inode, long offset, long length, const char *path, const char *other,
                 const void *data, size_t size) {
  if (record < 0) return;
  char line[160];
  int count = snprintf(line, sizeof line, "%d %ld %s %llu %ld %ld %zu %zu %zu\n", getpid(), change_count, call,
                       (unsigned long long)inode, offset, length, strlen(path), strlen(other), size);
  struct iovec parts[] = {{line, (size_t)count}, {(void *)path, strlen(path)}, {(void *)other, strlen(other)},
                          {(void *)data, size}, {"\n", 1}};
  syscall(SYS_writev, record, parts, 5);
}

int begin(struct step *step, int below, const char *call, int changes) {
  *step = (struct step){.below = below, .kept = errno};
  if (!below) return 0;
  lock();
  if (changes) change_count++;
  for (int i = 0; i < rule_count; i++) {
    struct rule *rule = &rules[i];
    if (rule->call[0] ? strcmp(rule->call, call) : !changes) continue;
    rule->seen++;
    if (rule->always ? rule->seen < rule->at : rule->seen != rule->at) continue;
    if (rule->what == BEFORE) kill(getpid(), SIGKILL);
    if (rule->what == HALF || rule->what == TORN) step->half = 1;
    if (rule->what == AFTER || rule->what == TORN) step->dies = 1;
    if (rule->what > 0) {
      note("failed", 0, rule->what, 0, call, "", "", 0);
      unlock();
      errno = rule->what;
      return -1;
    }
  }
  errno = step->kept;
  return 0;
}

long end(const struct step *step, long result) {
  if (!step->below) return result;
  int code = errno;
  if (step->dies) kill(getpid(), SIGKILL);
  unlock();
  errno = result < 0 ? code : step->kept;
  return result;
}

uint64_t inode_of(int folder, const char *name, int flags) {
  struct stat status;
  return fstatat(folder, name, &status, flags) == 0 ? status.st_ino : 0;
}

uint64_t inode(int file) { return inode_of(file, "", AT_EMPTY_PATH); }

long shift(void) {
  pthread_once(&once, set_up);
  long seconds = 0;
  for (int i = 0; i < jump_count; i++)
    if (change_count >= jumps[i].at) seconds = jumps[i].seconds;
  return seconds;
}
#endif
