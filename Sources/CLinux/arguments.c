#include "CLinux.h"

static int argument_count;
static char **arguments;

// glibc calls constructors with what it calls `main` with.
__attribute__((constructor)) static void keep_arguments(int count, char **values) {
  argument_count = count;
  arguments = values;
}

int clinux_argument_count(void) { return argument_count; }

const char *clinux_argument(int index) { return arguments[index]; }

// What Swift's library asks for the command line. Its own answer comes with a constructor that reads
// /proc/self/maps in every start; the linker takes that object from the library's archive only where
// these are missing.
char **_swift_stdlib_getUnsafeArgvArgc(int *count) {
  *count = argument_count;
  return arguments;
}

void _swift_stdlib_overrideUnsafeArgvArgc(char **values, int count) {
  arguments = values;
  argument_count = count;
}
