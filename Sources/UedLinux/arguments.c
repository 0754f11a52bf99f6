#include "UedLinux.h"

static int argument_count;
static char **arguments;

// glibc passes the arguments of `main` to constructors, too.
__attribute__((constructor)) static void keep_arguments(int count, char **values) {
  argument_count = count;
  arguments = values;
}

int clinux_argument_count(void) { return argument_count; }

const char *clinux_argument(int index) { return arguments[index]; }

// Swift's standard library gets the command line from these two functions. Its own versions come with a
// constructor that reads /proc/self/maps at every start; since they are defined here, the linker leaves
// that object in the library's archive.
char **_swift_stdlib_getUnsafeArgvArgc(int *count) {
  *count = argument_count;
  return arguments;
}

void _swift_stdlib_overrideUnsafeArgvArgc(char **values, int count) {
  arguments = values;
  argument_count = count;
}
