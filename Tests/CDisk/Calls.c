// The functions of libc that are interposed. Each does its work by a system call between `begin` and `end`.
#ifdef __linux__
#include "Disk.h"

#include <stdarg.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>

// MARK: - Opening

static int do_open(int folder, const char *name, int flags, mode_t mode) {
  char path[PATH_MAX];
  struct step step;
  int below = place(folder, name, path), changes = below && (flags & (O_CREAT | O_TRUNC));
  if (begin(&step, below, "open", changes)) return -1;
  struct stat before, after;
  int was_there = !changes || fstatat(folder, name, &before, 0) == 0;
  int file = (int)syscall(SYS_openat, folder, name, flags, mode);
  if (file >= 0 && changes && path_of(file, path) && fstat(file, &after) == 0) {
    if (!was_there) note("create", after.st_ino, after.st_mode & 07777, 0, path, "", "", 0);
    else if ((flags & O_TRUNC) && before.st_size > 0) note("truncate", after.st_ino, 0, 0, path, "", "", 0);
  }
  return (int)end(&step, file);
}

static mode_t mode_in(int flags, va_list list) {
  return flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0;
}

int open(const char *name, int flags, ...) {
  va_list list;
  va_start(list, flags);
  mode_t mode = mode_in(flags, list);
  va_end(list);
  return do_open(AT_FDCWD, name, flags, mode);
}

int openat(int folder, const char *name, int flags, ...) {
  va_list list;
  va_start(list, flags);
  mode_t mode = mode_in(flags, list);
  va_end(list);
  return do_open(folder, name, flags, mode);
}

int creat(const char *name, mode_t mode) { return do_open(AT_FDCWD, name, O_CREAT | O_WRONLY | O_TRUNC, mode); }

int open64(const char *, int, ...) __attribute__((alias("open")));
int openat64(int, const char *, int, ...) __attribute__((alias("openat")));
int creat64(const char *, mode_t) __attribute__((alias("creat")));

// MARK: - Writing

// Notes that bytes were written that are in the file only, at an offset or (-1) just before its own.
static void note_copied(int file, long offset, long count, const char *path) {
  struct stat status;
  if (record < 0 || count <= 0) return;
  if (offset < 0) {
    long appends = syscall(SYS_fcntl, file, F_GETFL) & O_APPEND;
    offset = (appends && fstat(file, &status) == 0 ? status.st_size : lseek(file, 0, SEEK_CUR)) - count;
  }
  char link[40], *bytes = malloc((size_t)count);
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  int copy = (int)syscall(SYS_openat, AT_FDCWD, link, O_RDONLY | O_CLOEXEC, 0);
  long got = 0, some = 1;
  while (bytes && copy >= 0 && got < count && some > 0)
    got += some = syscall(SYS_pread64, copy, bytes + got, count - got, offset + got);
  if (got == count) note("write", inode(file), offset, count, path, "", bytes, (size_t)count);
  else note("lost", inode(file), offset, count, path, "", "", 0);
  if (copy >= 0) syscall(SYS_close, copy);
  free(bytes);
}

// The standard output at the start of the program; its number may since belong to another file.
static struct stat output;
static int has_output;

__attribute__((constructor)) static void find_output(void) { has_output = fstat(STDOUT_FILENO, &output) == 0; }

static int is_output(int file) {
  struct stat status;
  return has_output && fstat(file, &status) == 0 && status.st_dev == output.st_dev && status.st_ino == output.st_ino;
}

// Records output among the changes: from then on the program has made a promise.
static ssize_t say(int file, const void *bytes, size_t count) {
  char path[PATH_MAX];
  struct step step;
  path_of(file, path);
  begin(&step, record >= 0, "say", 0);
  long result = syscall(SYS_write, file, bytes, count);
  if (result > 0) note("said", 0, 0, 0, "", "", bytes, (size_t)result);
  return end(&step, result);
}

#define WRITING(call, file, half_call, whole_call, offset)                          \
  char path[PATH_MAX];                                                              \
  struct step step;                                                                 \
  if (begin(&step, path_of(file, path), call, 1)) return -1;                        \
  long result = step.half ? half_call : whole_call;                                 \
  if (step.below) note_copied(file, offset, result, path);                          \
  return end(&step, result)

ssize_t write(int file, const void *bytes, size_t count) {
  if (is_output(file)) return say(file, bytes, count);
  WRITING("write", file, syscall(SYS_write, file, bytes, count / 2), syscall(SYS_write, file, bytes, count), -1);
}
ssize_t pwrite(int file, const void *bytes, size_t count, off_t at) {
  WRITING("pwrite", file, syscall(SYS_pwrite64, file, bytes, count / 2, at),
          syscall(SYS_pwrite64, file, bytes, count, at), at);
}
ssize_t writev(int file, const struct iovec *parts, int count) {
  WRITING("write", file, syscall(SYS_write, file, parts[0].iov_base, parts[0].iov_len / 2),
          syscall(SYS_writev, file, parts, count), -1);
}
ssize_t pwritev(int file, const struct iovec *parts, int count, off_t at) {
  WRITING("pwrite", file, syscall(SYS_pwrite64, file, parts[0].iov_base, parts[0].iov_len / 2, at),
          syscall(SYS_pwritev, file, parts, count, at, 0), at);
}
ssize_t sendfile(int file, int from, off_t *at, size_t count) {
  WRITING("sendfile", file, syscall(SYS_sendfile, file, from, at, (count + 1) / 2),
          syscall(SYS_sendfile, file, from, at, count), -1);
}
ssize_t copy_file_range(int from, off64_t *from_at, int file, off64_t *at, size_t count, unsigned flags) {
  long start = at ? *at : -1;
  WRITING("copy", file, syscall(SYS_copy_file_range, from, from_at, file, at, (count + 1) / 2, flags),
          syscall(SYS_copy_file_range, from, from_at, file, at, count, flags), start);
}
ssize_t pwrite64(int, const void *, size_t, off64_t) __attribute__((alias("pwrite")));
ssize_t pwritev64(int, const struct iovec *, int, off64_t) __attribute__((alias("pwritev")));
ssize_t sendfile64(int, int, off64_t *, size_t) __attribute__((alias("sendfile")));

// A change of an open file that either works or does not.
#define CHANGE(call, file, real, entry, offset, length)                                        \
  char path[PATH_MAX];                                                                         \
  struct step step;                                                                            \
  if (begin(&step, path_of(file, path), call, 1)) return -1;                                   \
  long result = real;                                                                          \
  if (step.below && result == 0) note(entry, inode(file), offset, length, path, "", "", 0);    \
  return (int)end(&step, result)

int ftruncate(int file, off_t size) {
  CHANGE("truncate", file, syscall(SYS_ftruncate, file, size), "truncate", 0, size);
}
int fallocate(int file, int mode, off_t at, off_t count) {
  CHANGE("allocate", file, syscall(SYS_fallocate, file, mode, at, count), "allocate", at, count);
}
static int sync_file(int file, long number) {
  struct stat now = {0};
  syscall(SYS_fstat, file, &now);
  CHANGE("fsync", file, syscall(number, file), "sync", now.st_mtim.tv_sec, now.st_mtim.tv_nsec);
}
int fsync(int file) { return sync_file(file, SYS_fsync); }
int fdatasync(int file) { return sync_file(file, SYS_fdatasync); }
int syncfs(int file) { CHANGE("fsync", file, syscall(SYS_syncfs, file), "syncfs", 0, 0); }
int fchmod(int file, mode_t mode) { CHANGE("chmod", file, syscall(SYS_fchmod, file, mode), "chmod", mode, 0); }
int fchown(int file, uid_t user, gid_t group) {
  CHANGE("chown", file, syscall(SYS_fchown, file, user, group), "chown", user, group);
}
int posix_fallocate(int file, off_t at, off_t count) {
  int kept = errno, code = fallocate(file, 0, at, count) ? errno : 0;
  errno = kept;
  return code;
}
int ftruncate64(int, off64_t) __attribute__((alias("ftruncate")));
int fallocate64(int, int, off64_t, off64_t) __attribute__((alias("fallocate")));
int posix_fallocate64(int, off64_t, off64_t) __attribute__((alias("posix_fallocate")));

// MARK: - Names

// A change of names: finds the inode of a removed name before the call, of a new name after it.
static int change_names(const char *call, const char *entry, int from, const char *name, int to, const char *other,
                        int gives, long number, long one, long two, long three, long four, long five) {
  char path[PATH_MAX] = "", other_path[PATH_MAX] = "";
  struct step step;
  int below = place(from, name, path);
  if (other && place(to, other, other_path)) below = 1;
  if (begin(&step, below, call, 1)) return -1;
  uint64_t old = gives || !below ? 0 : inode_of(from, name, AT_SYMLINK_NOFOLLOW);
  struct stat status = {0};
  long result = syscall(number, one, two, three, four, five);
  if (below && result == 0) {
    if (gives) fstatat(other ? to : from, other ? other : name, &status, AT_SYMLINK_NOFOLLOW);
    const char *text = !strcmp(entry, "symlink") ? name : path;
    note(entry, gives ? status.st_ino : old, status.st_mode & 07777, 0, text, other_path, "", 0);
  }
  return (int)end(&step, result);
}

int renameat2(int from, const char *old, int to, const char *new, unsigned flags) {
  return change_names("rename", flags & RENAME_EXCHANGE ? "exchange" : "rename", from, old, to, new, 0,
                      SYS_renameat2, from, (long)old, to, (long)new, flags);
}
int renameat(int from, const char *old, int to, const char *new) { return renameat2(from, old, to, new, 0); }
int rename(const char *old, const char *new) { return renameat2(AT_FDCWD, old, AT_FDCWD, new, 0); }
int linkat(int from, const char *old, int to, const char *new, int flags) {
  return change_names("link", "link", from, old, to, new, 1, SYS_linkat, from, (long)old, to, (long)new, flags);
}
int link(const char *old, const char *new) { return linkat(AT_FDCWD, old, AT_FDCWD, new, 0); }
int symlinkat(const char *text, int to, const char *new) {
  return change_names("symlink", "symlink", AT_FDCWD, text, to, new, 1, SYS_symlinkat, (long)text, to, (long)new, 0,
                      0);
}
int symlink(const char *text, const char *new) { return symlinkat(text, AT_FDCWD, new); }
int unlinkat(int folder, const char *name, int flags) {
  return change_names("unlink", flags & AT_REMOVEDIR ? "rmdir" : "unlink", folder, name, 0, NULL, 0, SYS_unlinkat,
                      folder, (long)name, flags, 0, 0);
}
int unlink(const char *name) { return unlinkat(AT_FDCWD, name, 0); }
int rmdir(const char *name) { return unlinkat(AT_FDCWD, name, AT_REMOVEDIR); }
int mkdirat(int folder, const char *name, mode_t mode) {
  return change_names("mkdir", "mkdir", folder, name, 0, NULL, 1, SYS_mkdirat, folder, (long)name, mode, 0, 0);
}
int mkdir(const char *name, mode_t mode) { return mkdirat(AT_FDCWD, name, mode); }

// MARK: - What changes nothing, but may fail

#define LOOKING(call, file, real)                                   \
  char path[PATH_MAX];                                              \
  struct step step;                                                 \
  if (begin(&step, path_of(file, path), call, 0)) return -1;        \
  return end(&step, real)

ssize_t read(int file, void *bytes, size_t count) {
  LOOKING("read", file, syscall(SYS_read, file, bytes, step.half ? (count + 1) / 2 : count));
}
ssize_t pread(int file, void *bytes, size_t count, off_t at) {
  LOOKING("pread", file, syscall(SYS_pread64, file, bytes, step.half ? (count + 1) / 2 : count, at));
}
ssize_t pread64(int, void *, size_t, off64_t) __attribute__((alias("pread")));

// Waiting for a lock must not hold the lock of the record.
int flock(int file, int operation) {
  char path[PATH_MAX];
  struct step step;
  if (begin(&step, path_of(file, path), "flock", 0)) return -1;
  end(&step, 0);
  return (int)syscall(SYS_flock, file, operation);
}

int fcntl(int file, int command, ...) {
  va_list list;
  va_start(list, command);
  void *argument = va_arg(list, void *);
  va_end(list);
  char path[PATH_MAX];
  struct step step;
  int locks = command == F_SETLK || command == F_SETLKW || command == F_OFD_SETLK || command == F_OFD_SETLKW;
  if (begin(&step, locks && path_of(file, path), "fcntl", 0)) return -1;
  end(&step, 0);
  return (int)syscall(SYS_fcntl, file, command, argument);
}
int fcntl64(int, int, ...) __attribute__((alias("fcntl")));

// As in the system, the descriptor is gone when closing fails.
int close(int file) {
  char path[PATH_MAX];
  struct step step;
  if (file == record && record >= 0) return 0;
  int below = path_of(file, path);
  if (begin(&step, below, "close", 0)) {
    int code = errno;
    syscall(SYS_close, file);
    errno = code;
    return -1;
  }
  return (int)end(&step, syscall(SYS_close, file));
}

void *mmap(void *address, size_t count, int protection, int flags, int file, off_t at) {
  char path[PATH_MAX];
  struct step step = {0};
  if (file >= 0 && begin(&step, path_of(file, path), "mmap", 0)) return MAP_FAILED;
  void *result = (void *)syscall(SYS_mmap, address, count, protection, flags, file, at);
  if (step.below && result != MAP_FAILED && flags & MAP_SHARED && protection & PROT_WRITE)
    note("map", inode(file), at, (long)count, path, "", "", 0);
  end(&step, result == MAP_FAILED ? -1 : 0);
  return result;
}
void *mmap64(void *, size_t, int, int, int, off64_t) __attribute__((alias("mmap")));

// MARK: - Clocks

int clock_gettime(clockid_t clock, struct timespec *now) {
  long result = syscall(SYS_clock_gettime, clock, now);
  if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) now->tv_sec += shift();
  return (int)result;
}
int gettimeofday(struct timeval *now, void *zone) {
  long result = syscall(SYS_gettimeofday, now, zone);
  if (result == 0) now->tv_sec += shift();
  return (int)result;
}
time_t time(time_t *now) {
  struct timespec real = {0};
  clock_gettime(CLOCK_REALTIME, &real);
  if (now) *now = real.tv_sec;
  return real.tv_sec;
}
#endif
