// Exceptions for the address sanitizer; empty in other builds.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
const char *__asan_default_suppressions(void);
const char *__asan_default_options(void);

// ued exits without freeing its memory, and runs under strace, where the leak check does not work.
const char *__asan_default_options(void) { return "detect_leaks=0"; }

// The sanitizer expects a zero byte at the end of the subject of `regexec`, even with REG_STARTEND.
const char *__asan_default_suppressions(void) { return "interceptor_name:regexec\n"; }
#endif
#endif
