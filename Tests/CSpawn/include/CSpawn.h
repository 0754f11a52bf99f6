#ifndef CSPAWN_H
#define CSPAWN_H

// Parts of glibc that the harness needs and Swift's Glibc module lacks.

#include <sys/syscall.h>
#include <sys/types.h>

/// The numbers of system calls that wait; -1 for a call that the processor lacks.
enum {
  cspawn_read = SYS_read,
  cspawn_write = SYS_write,
#ifdef SYS_poll
  cspawn_poll = SYS_poll,
#else
  cspawn_poll = -1,
#endif
  cspawn_ppoll = SYS_ppoll,
  cspawn_openat = SYS_openat,
  cspawn_wait = SYS_wait4,
  cspawn_waitid = SYS_waitid,
  cspawn_fcntl = SYS_fcntl,
  cspawn_flock = SYS_flock,
};

/// A pipe that children do not inherit, with room for `capacity` bytes. Returns 0 or an errno.
int cspawn_pipe(int ends[2], int capacity);

/// The number of the calling thread.
pid_t cspawn_thread(void);

/// Whether this build has the address or the thread sanitizer, 0 or 1.
int cspawn_sanitized(void);

/// Starts a program in a folder, in a process group of its own, with the usual signal handling and
/// with limits on memory, file size and processor time. Returns 0 or an errno.
int cspawn_start(
    pid_t *child, const char *program, char *const arguments[], char *const environment[],
    const char *directory, int input, int output, int errors);

/// Starts a program in a session of its own, whose terminal is the one at a path. Returns 0 or an
/// errno.
int cspawn_start_at_terminal(
    pid_t *child, const char *program, char *const arguments[], char *const environment[],
    const char *directory, const char *terminal);

#endif
