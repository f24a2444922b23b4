/* A queue of numbers that is first written, then read once from its start: the work items that a
 * search in order of a bound postpones. What does not fit into its memory goes to a file, so the
 * memory an engine keeps stays bounded however long the queue grows. */
#ifndef EXPLORE_TAPE_H
#define EXPLORE_TAPE_H

#include "base/arena.h"
#include "trace/work.h"

#include <stdbool.h>
#include <stdint.h>

#define TAPE_BUFFER 65536

struct tape {
    unsigned char *memory; /* the first `room` bytes */
    uint64_t room;
    unsigned char *buffer; /* the part of the file being written or read */
    uint64_t length, at;   /* bytes written, bytes read */
    uint64_t file_start;   /* where its part of the file begins */
    const int32_t *fd;     /* of the file; < 0: there is none */
    bool failed;           /* something was lost: no file, or it cannot be written or read */
};

/* 0, or -1 if the arena is too small. *fd is looked at each time, since a worker that takes over
 * may know the file by another number. */
int tape_init(struct tape *t, struct arena *a, uint64_t room, const int32_t *fd,
              uint64_t file_start);
void tape_put(struct tape *t, uint64_t value);
void tape_put_byte(struct tape *t, unsigned char b);
/* What was not read yet, of one that lies in memory; no room: out->failed. */
void tape_put_rest(const struct tape *t, struct work *out);
/* Ends the writing. */
void tape_rewind(struct tape *t);
uint64_t tape_get(struct tape *t);
/* Empties it for writing again and gives the memory and the disk space back. */
void tape_clear(struct tape *t);

static inline bool tape_at_end(const struct tape *t)
{
    return t->at >= t->length;
}

/* Bytes in the file. */
static inline uint64_t tape_spilled(const struct tape *t)
{
    return t->length > t->room ? t->length - t->room : 0;
}

#endif
