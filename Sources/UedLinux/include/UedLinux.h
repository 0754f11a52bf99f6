// Functions of glibc that its headers declare only for _GNU_SOURCE, which Swift does not define, and
// headers that Swift's Glibc module lacks.
#pragma once

#include <fcntl.h>
#include <poll.h>
#include <regex.h>
#include <signal.h>
#include <stdint.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/types.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <time.h>
#include <wchar.h>

int pipe2(int ends[2], int flags);
ssize_t tee(int from, int to, size_t count, unsigned int flags);
int ppoll(struct pollfd *descriptors, nfds_t count, const struct timespec *timeout,
          const sigset_t *mask);
void *memmem(const void *text, size_t count, const void *part, size_t part_count);
int memfd_create(const char *name, unsigned int flags);
int renameat2(int old_folder, const char *old_name, int new_folder, const char *new_name,
              unsigned int flags);
ssize_t copy_file_range(int from, off_t *from_offset, int to, off_t *to_offset, size_t count,
                        unsigned int flags);
int sync_file_range(int file, off_t offset, off_t count, unsigned int flags);
int wcwidth(wchar_t character);
void *memrchr(const void *text, int byte, size_t count);

// O_TMPFILE, which glibc defines only for _GNU_SOURCE: an unnamed file in the opened folder.
enum { clinux_unnamed = 020000000 | O_DIRECTORY };

// Commands of fcntl for locks that belong to an open file and not to a process (F_OFD_GETLK and others).
enum { clinux_show_lock = 36, clinux_try_lock = 37, clinux_wait_for_lock = 38 };

// Commands of fcntl for leases: F_SETLEASE and F_SETSIG.
enum { clinux_set_lease = 1024, clinux_set_signal = 10 };

// The flags of `chattr` that a new file can be given: s u c S d A, m, j, t, C.
enum { clinux_kept_flags = 0xCF | 0x400 | 0x4000 | 0x8000 | 0x800000 };
// The flags of an open file (FS_IOC_GETFLAGS); -1 and errno when that fails.
int clinux_get_flags(int file, int *flags);
int clinux_set_flags(int file, int flags);

// Whether a search in `count` bytes fails for lack of memory; `regexec` reports that as no match.
int clinux_search_fails(regex_t *pattern, const char *text, int count, int isStart);

// Sets memory aside for the first allocation that fails; 0 if there is not enough. Does nothing if the reserve is still
// unused. Only for one thread at a time.
int clinux_reserve_memory(size_t size);
// Makes the program print a message when it dies for lack of memory.
void clinux_tell_end_for_memory(void);
// Whether the reserve has been used; for the functions below.
extern int clinux_memory_exhausted;
static inline int clinux_memory_is_exhausted(void) {
  return __atomic_load_n(&clinux_memory_exhausted, __ATOMIC_RELAXED);
}
static inline void clinux_exhaust_memory(void) {
  __atomic_store_n(&clinux_memory_exhausted, 1, __ATOMIC_RELAXED);
}
static inline void clinux_clear_exhausted_memory(void) {
  __atomic_store_n(&clinux_memory_exhausted, 0, __ATOMIC_RELAXED);
}

// Opens a relative path that stays below the current folder, without following links.
int clinux_open_beneath(const char *path, int flags, mode_t mode);

// The creation time of a file, in nanoseconds since 1970; 0 if unknown.
int64_t clinux_birth_time(const char *path);

pid_t gettid(void);

// Makes a timer that sends a signal to the calling thread (SIGEV_THREAD_ID).
static inline int clinux_make_thread_timer(int signal, timer_t *timer) {
  struct sigevent event = {.sigev_notify = 4, .sigev_signo = signal};
  event._sigev_un._tid = gettid();
  return timer_create(CLOCK_MONOTONIC, &event, timer);
}

// Starts a shell command, optionally in its own process group; -1 and errno on failure. `input` and `output` replace
// its standard input and output unless they are negative.
pid_t clinux_start_shell(const char *command, int has_own_group, int input, int output);
// A descriptor that becomes readable when a process ends; -1 on kernels without such descriptors.
int clinux_open_process(pid_t process);

// The command line. Swift's own implementation reads /proc, which may not be mounted.
int clinux_argument_count(void);
const char *clinux_argument(int index);

// The commit that the program was built from; empty unless the environment of the build had UED_COMMIT.
const char *clinux_commit(void);

// Up to eight alternatives of a search, one bit each: two to four bytes, each from a set. `masks` has, for each place
// and byte, the alternatives whose set contains the byte, and those that end before the place. `ended` has, for a
// number of bytes, the alternatives of at most that length. The other fields are derived.
enum { clinux_prefix_limit = 4 };
struct clinux_prefixes {
  uint8_t low[clinux_prefix_limit][16], high[clinux_prefix_limit][16], masks[clinux_prefix_limit][256];
  uint8_t ended[clinux_prefix_limit + 1];
  int length;
};
// Takes `length` times 256 masks, and `length + 1` values for `ended`.
void clinux_make_prefixes(struct clinux_prefixes *prefixes, const uint8_t *masks, const uint8_t *ended, int length);
// The first offset from `offset` on at which a whole alternative fits before `end`; otherwise `end`.
size_t clinux_find_prefix(const struct clinux_prefixes *prefixes, const void *text, size_t offset, size_t end);
// The first offset from `offset` on at which a whole literal of two or more bytes fits before `end`; otherwise `end`.
size_t clinux_find_literal(const void *text, size_t offset, size_t end, const uint8_t *literal, size_t count);
// Tells whether the folder of this thread's log was synced with the log by an earlier commit; see folder.c.
void clinux_set_known_log(int known);
void clinux_keep_folder_call(int (*call)(const char *, int *));
int clinux_open_folder(const char *path, int *descriptor);

