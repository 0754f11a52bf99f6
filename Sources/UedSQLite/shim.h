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

// Makes SQLite open the folder of a file by `clinux_open_folder`, which UedLinux has; 0 if it can't. Called once, before
// the first database is opened.
int clinux_open_folder(const char *path, int *descriptor);
void clinux_keep_folder_call(int (*call)(const char *, int *));

static inline int csqlite_watch_folders(void) {
  sqlite3_vfs *vfs = sqlite3_vfs_find((const char *)0);
  if (!vfs || vfs->iVersion < 3) return 0;
  sqlite3_syscall_ptr call = vfs->xGetSystemCall(vfs, "openDirectory");
  if (!call) return 0;
  clinux_keep_folder_call((int (*)(const char *, int *))call);
  return vfs->xSetSystemCall(vfs, "openDirectory", (sqlite3_syscall_ptr)clinux_open_folder) == SQLITE_OK;
}

// Views run what a stranger wrote, too.
static inline int csqlite_refuse_views(sqlite3 *database) {
  return sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_VIEW, 0, (int *)0);
}
