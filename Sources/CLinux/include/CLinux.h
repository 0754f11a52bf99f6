// Calls of the C library that its headers declare only with _GNU_SOURCE, which Swift does not define,
// or whose headers Swift does not import by itself.
#pragma once

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/file.h>
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
int wcwidth(wchar_t character);
void *memrchr(const void *text, int byte, size_t count);

// A file without a name in the folder that is opened; the C library has it for _GNU_SOURCE only.
enum { clinux_unnamed = 020000000 | O_DIRECTORY };

// The command line as the kernel gave it. Swift's own way to it reads /proc, which need not be there.
int clinux_argument_count(void);
const char *clinux_argument(int index);
