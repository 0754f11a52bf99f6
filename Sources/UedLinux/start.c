// Makes the release start faster; other builds do not use it.
#include <stddef.h>

// The release is linked with --wrap=swift_copyAuxiliaryExecutablePath: the runtime would look in eight places for
// swift-backtrace, which is not a part of ued.
char *__wrap_swift_copyAuxiliaryExecutablePath(const char *name) {
  (void)name;
  return NULL;
}
