/* Response files: @FILE on a compiler's command line stands for the words in FILE. */
#ifndef CC_RESPFILE_H
#define CC_RESPFILE_H

#include <stddef.h>

/* Calls word(text, context) for every word of the file, with text allocated for the callee.
 * -1 if the file cannot be read: compilers then take "@FILE" as the name of an input. */
int respfile_read(const char *path, void (*word)(char *text, void *context), void *context);

#endif
