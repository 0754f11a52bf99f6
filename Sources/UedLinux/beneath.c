#include "UedLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

// Constants and types that older headers of the C library lack.
enum { open_beneath = 437, beneath = 8, no_magic_links = 2, path_only = 010000000, most_tries = 1000 };
struct how {
  uint64_t flags, mode, resolve;
};

// The same for a kernel without the call: opens the path part by part and rejects links.
static int walk(int folder, const char *path, int flags, mode_t mode) {
  char part[256];
  for (int at = folder;;) {
    size_t length = strcspn(path, "/");
    const char *rest = path + length + strspn(path + length, "/");
    int next = -1;
    if (length >= sizeof part) {
      errno = ENAMETOOLONG;
    } else {
      memcpy(part, path, length);
      part[length] = 0;
      if (strcmp(part, "..") == 0)
        errno = EXDEV;
      else
        next = openat(at, part, (*rest ? path_only | O_DIRECTORY | O_CLOEXEC : flags) | O_NOFOLLOW, mode);
    }
    int code = errno;
    if (at != folder) close(at);
    errno = code;
    if (next < 0 || !*rest) return next;
    at = next;
    path = rest;
  }
}

int clinux_open_beneath(const char *path, int flags, mode_t mode) {
  struct how how = {
      .flags = (uint64_t)(unsigned)flags, .mode = flags & O_CREAT ? mode : 0, .resolve = beneath | no_magic_links};
  long file;
  int tries = 0;
  // The kernel asks for another try when something was renamed meanwhile.
  do
    file = syscall(open_beneath, AT_FDCWD, path, &how, sizeof how);
  while (file < 0 && errno == EAGAIN && ++tries < most_tries);
  if (file >= 0 || errno != ENOSYS) return (int)file;
  return walk(AT_FDCWD, path, flags, mode);
}
