/* Text in one line of a "key value" file: \n, \\ and \xHH stand for what they say. */
#ifndef BASE_ESCAPE_H
#define BASE_ESCAPE_H

#include "base/sbuf.h"

void escape_put(struct sbuf *b, const char *s);
int escape_take(char *s); /* in place; -1 on a bad escape */

#endif
