/* Files and mappings of the program, put back between executions (files.c, maps.c). */
#ifndef RT_FILES_H
#define RT_FILES_H

#include "rt/core/rt.h"

#include <sys/stat.h>

#pragma GCC visibility push(hidden)

void files_undo(void);
/* The file is going to be read: is it one that the kernel makes up, different in every run? That is told. */
void files_note_changing(int at, const char *path);
bool files_changed(void); /* is there something to undo? */
void maps_reset(void);
uint64_t maps_used(int thread); /* how far what it has mapped goes */
bool maps_shared(void); /* is there memory that processes share? */
/* A call at pc uses the file of st, which may be mapped (looks: it only reads). */
void maps_file_used(const struct stat *st, bool looks, uintptr_t pc);

#pragma GCC visibility pop

#endif
