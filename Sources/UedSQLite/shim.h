// SQLite for Swift, which imports neither SQLITE_TRANSIENT, the cast that makes SQLite copy a bound value, nor
// functions with variable arguments.
#pragma once

#include <sqlite3.h>

static inline int csqlite_bind_copied_blob(sqlite3_stmt *statement, int index, const void *bytes,
                                           sqlite3_uint64 count) {
  return sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_TRANSIENT);
}

// Takes the power from what a stranger may have put into a database: no triggers, no functions in the schema, no
// writes to it but by statements.
static inline int csqlite_defend(sqlite3 *database) {
  static const int off[] = {SQLITE_DBCONFIG_ENABLE_TRIGGER, SQLITE_DBCONFIG_TRUSTED_SCHEMA,
                            SQLITE_DBCONFIG_DQS_DDL, SQLITE_DBCONFIG_DQS_DML,
                            SQLITE_DBCONFIG_ENABLE_FKEY};
  int result = sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
  for (unsigned i = 0; i < sizeof off / sizeof *off && result == SQLITE_OK; i++)
    result = sqlite3_db_config(database, off[i], 0, (int *)0);
  return result;
}

// Whether closing the database leaves its log as it is, without a sync, for the next time.
static inline int csqlite_keep_log(sqlite3 *database, int keeps) {
  int result = sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, keeps, (int *)0);
  return result == SQLITE_OK ? sqlite3_file_control(database, "main", SQLITE_FCNTL_PERSIST_WAL, &keeps)
                             : result;
}

// SQLite syncs the folder of a log at the first commit after each opening, as the log may be new. This thread's log is
// not new while `csqlite_known_log` is set: an earlier commit has synced the folder. Then the folder counts as one
// that can't be opened, which SQLite ignores.
static inline int *csqlite_known_log(void) {
  static _Thread_local int isKnown;
  return &isKnown;
}

typedef int (*csqlite_folder_call)(const char *, int *);

static inline csqlite_folder_call *csqlite_folder(void) {
  static csqlite_folder_call call;
  return &call;
}

static inline int csqlite_open_folder_of_new_log(const char *path, int *descriptor) {
  return *csqlite_known_log() ? SQLITE_CANTOPEN : (*csqlite_folder())(path, descriptor);
}

// Makes SQLite heed that; 0 if it can't. Called once, before the first database is opened.
static inline int csqlite_watch_folders(void) {
  sqlite3_vfs *vfs = sqlite3_vfs_find((const char *)0);
  if (!vfs || vfs->iVersion < 3) return 0;
  *csqlite_folder() = (csqlite_folder_call)vfs->xGetSystemCall(vfs, "openDirectory");
  if (!*csqlite_folder()) return 0;
  return vfs->xSetSystemCall(
             vfs, "openDirectory", (sqlite3_syscall_ptr)csqlite_open_folder_of_new_log) == SQLITE_OK;
}

static inline void csqlite_set_known_log(int isKnown) { *csqlite_known_log() = isKnown; }

// Views run what a stranger wrote, too.
static inline int csqlite_refuse_views(sqlite3 *database) {
  return sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_VIEW, 0, (int *)0);
}
