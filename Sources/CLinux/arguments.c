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
