// SQLite for Swift, which cannot see the macro that makes SQLite copy what is bound.
#pragma once

#include <sqlite3.h>

static inline int csqlite_bind_copied_blob(sqlite3_stmt *statement, int index, const void *bytes,
                                           sqlite3_uint64 count) {
  return sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_TRANSIENT);
}
