/* Inputs from outside of the program: see outside.c. */
#ifndef RT_SYM_OUTSIDE_H
#define RT_SYM_OUTSIDE_H

#include <stdbool.h>
#include <stddef.h>

#pragma GCC visibility push(hidden)

void sym_outside_begin(int *argc, char ***argv, char ***envp); /* on the main thread, before main */
void sym_outside_end(void);
int sym_open(const char *path); /* a descriptor of it if it is an input, or -1 */
void sym_was_read(int fd, void *to, size_t n); /* after read() gave n bytes */
void sym_was_closed(int fd);
void sym_was_mapped(int fd, bool is_shared);

#pragma GCC visibility pop

#endif
