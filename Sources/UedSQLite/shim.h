// SQLite for Swift, which does not import SQLITE_TRANSIENT, the cast that makes SQLite copy a bound value.
#pragma once

#include <sqlite3.h>

static inline int csqlite_bind_copied_blob(sqlite3_stmt *statement, int index, const void *bytes,
                                           sqlite3_uint64 count) {
  return sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_TRANSIENT);
}
