/* Putting everything back between executions (restart.c). */
#ifndef RT_RESTART_H
#define RT_RESTART_H

#include "rt/core/rt.h"

#pragma GCC visibility push(hidden)

void restart_snapshot(int argc, char **argv, char **envp);
void restart_remember_files(void); /* first of all */
void restart_new_modules(void); /* after dlopen: their data as it is now */
void restart_restore(void);
void restart_rewind(void); /* standard input, if it is a file */
/* Large parts of the memory become views of an image, which copies of this process share until they write. */
void restart_settle(void);
/* Would a copy of this process share with it a file that was not open or not read at the start? */
bool restart_shares_files(void);
/* Begin and end of a part of the runtime's own work: library data it is the first to write is not
 * put back. */
void restart_keep_writes(bool begin);
/* Has a library that was not built with raddle changed its data, other than standard output and error? */
bool restart_library_changed(void);
/* The i-th range of the program's own data, of those that are copied back or of the large ones, which
 * are private views of a file; NULL: there is none. */
#define RESTART_RANGES 512
char *restart_program_range(int i, bool large, size_t *size);
bool restart_is_program(uintptr_t pc); /* in a module built with raddle? */
bool restart_is_constant(uintptr_t address); /* of a module, where nobody can write? */
bool restart_first_write(uintptr_t address); /* handles faults of restart's own making */
struct dl_phdr_info;
bool restart_built_with_raddle(const struct dl_phdr_info *info);
void restart_module_of(uintptr_t pc, const char **path, uintptr_t *base); /* path NULL: none */

#pragma GCC visibility pop

#endif
