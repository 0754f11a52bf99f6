// Makes the release start faster; other builds do not use it.
#include <stddef.h>

// The release is linked with --wrap=swift_copyAuxiliaryExecutablePath: the runtime would look in eight places for
// swift-backtrace, which is not a part of ued.
char *__wrap_swift_copyAuxiliaryExecutablePath(const char *name) {
  (void)name;
  return NULL;
}

#ifdef __x86_64__
// Glibc's static mathematical library also takes private symbols of the shared C library, which bind a program to
// one version of glibc. The program defines them itself: nothing reads the errors of mathematical functions, or tags of NaN.
#define OWN __attribute__((visibility("hidden")))
OWN _Thread_local int errno;
OWN float __strtof_nan(const char *tag, char **end, char last) { return __builtin_nanf(""); }
OWN double __strtod_nan(const char *tag, char **end, char last) { return __builtin_nan(""); }
OWN long double __strtold_nan(const char *tag, char **end, char last) { return __builtin_nanl(""); }

// Symbols that glibc's static math library takes from the static C library: other names of functions, and the
// processor's features, which select variants. Zeros mean a processor without features; its variants are correct
// everywhere.
const char _dl_x86_cpu_features[4096] = {0};

#define ANOTHER_NAME_OF(function) \
  __asm__(".globl __" #function "; .type __" #function ", @function; __" #function ": jmp " #function "@PLT");

ANOTHER_NAME_OF(frexp)
ANOTHER_NAME_OF(frexpf)
ANOTHER_NAME_OF(frexpl)
ANOTHER_NAME_OF(ldexp)
ANOTHER_NAME_OF(ldexpf)
ANOTHER_NAME_OF(ldexpl)
ANOTHER_NAME_OF(scalbn)
ANOTHER_NAME_OF(scalbnf)
ANOTHER_NAME_OF(scalbnl)
#endif
