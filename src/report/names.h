/* What the things in a recording are called: variables, heap blocks, stacks, threads. A heap block has
 * the name of its type ("mailbox", the second one "mailbox#2") if that can be told, else a number
 * ("block 1"), in the order they are first mentioned, so a report can explain them below. */
#ifndef REPORT_NAMES_H
#define REPORT_NAMES_H

#include "report/symbols.h"
#include "report/tale.h"

struct named_block {
    size_t event; /* of its allocation in the tale */
    size_t freed; /* of its free, SIZE_MAX = never */
    int kind;     /* its type (symbols.h), -1 = not known */
    const char *name;
    int guessed;  /* its type: it is as large, and used where there are pointers to such */
};

struct names {
    const struct tale *tale;
    struct symbols *symbols;
    VEC(struct named_block) blocks;
    VEC(char *) texts;              /* owned */
    const char *threads[EVENT_MAX_THREADS]; /* what names_thread said before */
    struct names_index *index;
};

void names_init(struct names *n, const struct tale *t);
void names_free(struct names *n);

/* The object at an address as of event number `at`; the text lives as long as the names. */
const char *names_object(struct names *n, uint64_t address, uint32_t size, size_t at);

/* The block that begins at an address as of event `at`. */
const char *names_block(struct names *n, uint64_t address, size_t at);
const char *names_block_of(struct names *n, uint64_t address, size_t at); /* that the address lies in */

/* "main", "worker", … : the function a thread runs, or "". */
const char *names_thread(struct names *n, int thread);
/* "thread 1 (worker)". */
const char *names_thread_full(struct names *n, int thread);

/* "f.c:10" (file's base name), or "prog+0x1189", or "?". */
const char *names_location(struct names *n, uint64_t pc);
const char *names_path_location(struct names *n, uint64_t pc); /* with the whole path */
const char *names_function(struct names *n, uint64_t pc);      /* "" if unknown */
const char *names_source(struct names *n, uint64_t pc); /* the file, wherever it was compiled; or NULL */
/* Of "Queue<int>::push" the last part if there is no room for all. */
const char *names_short(const char *name, size_t room);

/* pc, or if that is code of the C library or of raddle.h the innermost caller that is not. */
uint64_t names_own_place(struct names *n, uint64_t pc, const uint64_t *frames, uint32_t count);

/* A value of `size` bytes: a small number in decimal, a pointer by what it points to. */
const char *names_value(struct names *n, uint64_t value, uint32_t size, size_t at);

const char *names_keep(struct names *n, char *text); /* takes ownership */

#endif
