#define _GNU_SOURCE
#include "UedLinux.h"

#include <errno.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <unistd.h>

pid_t clinux_start_shell(const char *command, int has_own_group, int input, int output) {
  // In glibc the calls up to the first `adddup2` cannot fail.
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_t actions;
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_init(&actions);
  if (has_own_group) {
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setpgroup(&attributes, 0);
  }
  int code = 0;
  if (input >= 0) code = posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  if (output >= 0 && code == 0)
    code = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  char *arguments[] = {"sh", "-c", (char *)command, NULL};
  pid_t process;
  if (code == 0) code = posix_spawn(&process, "/bin/sh", &actions, &attributes, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (code == 0) return process;
  errno = code;
  return -1;
}

int clinux_open_process(pid_t process) { return (int)syscall(SYS_pidfd_open, process, 0); }
