// What the address sanitizer is to leave alone; nothing of it is in other builds.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
const char *__asan_default_suppressions(void);
const char *__asan_default_options(void);

// ued ends without freeing what it has, and runs under strace, where leaks can't be looked for.
const char *__asan_default_options(void) { return "detect_leaks=0"; }

// It takes the subject of `regexec` for a string with a zero byte at its end, also with REG_STARTEND.
const char *__asan_default_suppressions(void) { return "interceptor_name:regexec\n"; }
#endif
#endif
