#define _GNU_SOURCE
#include "UedLinux.h"

int clinux_search_fails(regex_t *pattern, const char *text, int count, int isStart) {
  pattern->not_bol = !isStart;
  int result = re_search(pattern, text, count, 0, count, NULL);
  pattern->not_bol = 0;
  return result == -2;
}
