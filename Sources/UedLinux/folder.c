#include "UedLinux.h"

// SQLite syncs the folder of a log at the first commit after each opening, as the log may be new. The log of this thread
// is not new while `isKnown` is set: an earlier commit has synced the folder. The call then claims that the folder can't be
// opened, and SQLite goes on without that sync.
static _Thread_local int isKnown;
static int (*folderCall)(const char *, int *);

enum { cannotOpen = 14 };  // SQLITE_CANTOPEN

void clinux_set_known_log(int known) { isKnown = known; }

void clinux_keep_folder_call(int (*call)(const char *, int *)) { folderCall = call; }

int clinux_open_folder(const char *path, int *descriptor) {
  return isKnown ? cannotOpen : folderCall(path, descriptor);
}
