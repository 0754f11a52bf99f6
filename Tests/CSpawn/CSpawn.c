#define _GNU_SOURCE
#include "CSpawn.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

int cspawn_pipe(int ends[2], int capacity) {
  if (pipe2(ends, O_CLOEXEC) != 0) return errno;
  if (capacity > 65536) fcntl(ends[1], F_SETPIPE_SZ, capacity);
  return 0;
}

static void limit(pid_t child, int resource, rlim_t most) {
  struct rlimit bound = {most, most};
  prlimit(child, resource, &bound, NULL);
}

pid_t cspawn_thread(void) { return (pid_t)syscall(SYS_gettid); }

int cspawn_sanitized(void) {
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
  return 1;
#else
  return 0;
#endif
}

// The environment with those variables of this process that choose a mutant (see Tests/Mutants), or say where to count
// what runs (`make coverage`).
static char **with_own_variables(char *const environment[]) {
  size_t count = 0, own = 0;
  while (environment[count]) count++;
  while (environ[own]) own++;
  char **result = malloc((count + own + 1) * sizeof *result);
  memcpy(result, environment, count * sizeof *result);
  for (char **variable = environ; *variable; variable++) {
    bool is_own = strncmp(*variable, "UED_MUTANT", 10) == 0 || strncmp(*variable, "LLVM_PROFILE_FILE", 17) == 0;
    if (is_own) result[count++] = *variable;
  }
  result[count] = NULL;
  return result;
}

// Starts a program in a group or session of its own with the usual signal handling; `actions` are
// used up.
static int start(
    pid_t *child, const char *program, char *const arguments[], char *const environment[],
    posix_spawn_file_actions_t *actions, short group) {
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t all, none;
  sigfillset(&all);
  sigemptyset(&none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, group | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  char **variables = with_own_variables(environment);
  int code = posix_spawnp(child, program, actions, &attributes, arguments, variables);
  free(variables);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(actions);
  return code;
}

int cspawn_start(
    pid_t *child, const char *program, char *const arguments[], char *const environment[],
    const char *directory, int input, int output, int errors) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input, 0);
  posix_spawn_file_actions_adddup2(&actions, output, 1);
  posix_spawn_file_actions_adddup2(&actions, errors, 2);
  posix_spawn_file_actions_addchdir_np(&actions, directory);

  int code = start(child, program, arguments, environment, &actions, POSIX_SPAWN_SETPGROUP);
  if (code != 0) return code;

  // A sanitizer reserves terabytes of addresses.
  if (!cspawn_sanitized()) limit(*child, RLIMIT_AS, (rlim_t)2 << 30);
  limit(*child, RLIMIT_FSIZE, 64 << 20);
  limit(*child, RLIMIT_CPU, 20);
  limit(*child, RLIMIT_CORE, 0);
  return 0;
}

int cspawn_start_at_terminal(
    pid_t *child, const char *program, char *const arguments[], char *const environment[],
    const char *directory, const char *terminal) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  // The leader of a session gets the first terminal that it opens.
  posix_spawn_file_actions_addopen(&actions, 0, terminal, O_RDWR, 0);
  posix_spawn_file_actions_adddup2(&actions, 0, 1);
  posix_spawn_file_actions_adddup2(&actions, 0, 2);
  posix_spawn_file_actions_addchdir_np(&actions, directory);

  int code = start(child, program, arguments, environment, &actions, POSIX_SPAWN_SETSID);
  if (code == 0) limit(*child, RLIMIT_CORE, 0);
  return code;
}
