#include "UedLinux.h"

#ifndef UED_COMMIT
#define UED_COMMIT ""
#endif

const char *clinux_commit(void) { return UED_COMMIT; }
