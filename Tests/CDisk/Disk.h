// The interface between the calls and the recorder; Recorder.c describes the library.
#define _GNU_SOURCE
#include "CDisk.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#pragma GCC visibility push(hidden)

// A call that has begun: whether it is below the folder, writes half, is the last one; errno before it.
struct step { int below, half, dies, kept; };

// The descriptor of the record, or -1.
extern int record;

// The path of an open file, or of a name in a folder whose last part is not followed; whether it is below the folder.
int path_of(int file, char path[PATH_MAX]);
int place(int folder, const char *name, char path[PATH_MAX]);

uint64_t inode_of(int folder, const char *name, int flags);
uint64_t inode(int file);

// Counts a call; nonzero when it fails, with errno set. After success `end` must follow; it returns `result`.
int begin(struct step *step, int below, const char *call, int changes);
long end(const struct step *step, long result);

// Appends an entry to the record, between `begin` and `end`.
void note(const char *call, uint64_t inode, long offset, long length, const char *path, const char *other,
          const void *data, size_t size);

// By how many seconds the clocks are off.
long shift(void);

#pragma GCC visibility pop
