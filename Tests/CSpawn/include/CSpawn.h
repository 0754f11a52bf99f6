#ifndef CSPAWN_H
#define CSPAWN_H

// What the harness needs of glibc that Swift's Glibc module leaves out.

#include <sys/types.h>

/// A pipe that children do not inherit, with room for `capacity` bytes. Returns 0 or an errno.
int cspawn_pipe(int ends[2], int capacity);

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
