// SHA-1 and SHA-256 of libmd for Swift.
#pragma once

#include <sys/types.h>
#include <sha1.h>
#include <sha2.h>
