// zlib for Swift: compression of one block of bytes at a time.
#pragma once

#include <zlib.h>
