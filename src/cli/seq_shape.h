/* The shape of a sequence: its operations with their neighbours, without the names of its threads. Two
 * sequences show the same pattern if the threads of one can be renamed, among those that run the same
 * function, so that the other comes out. */
#ifndef CLI_SEQ_SHAPE_H
#define CLI_SEQ_SHAPE_H

#include <stddef.h>
#include <stdint.h>

/* What the operations of a set of sequences are, by number. */
struct shape_words {
    uint32_t *thread, *rest; /* [operation]: its thread, and what is left of its text */
    uint32_t *sender;        /* [operation]: whose message is received, + 1; 0 = none */
    uint32_t *message;       /* … and which of them */
    uint32_t *object;        /* [operation]: 0 = none */
    char *is_send;           /* [operation] */
    uint32_t *function;      /* [thread] */
    uint32_t threads, objects;
};

/* Neighbours of an operation: places + 1, 0 = none. */
enum { SHAPE_BEFORE, SHAPE_AFTER, SHAPE_OBJECT_BEFORE, SHAPE_OBJECT_AFTER, SHAPE_PARTNER, SHAPE_NEIGHBOURS };

struct shape_place {
    uint32_t op, to[SHAPE_NEIGHBOURS];
    uint32_t position[2]; /* in its thread, on its object */
    uint64_t label, next;
};

struct shape {
    struct shape_place *places;
    size_t room;
    uint32_t count;
    uint32_t *first, *length; /* [thread]: its first place + 1, and how many it has */
    uint32_t *last;           /* [thread, then object]: the place where it was last, + 1 */
};

void shape_make(struct shape *s, const struct shape_words *w, const uint32_t *ops, uint32_t count);
void shape_free(struct shape *s);

/* The same for equal shapes; and are they really? */
uint64_t shape_hash(const struct shape *s, const struct shape_words *w);
int shape_same(const struct shape *a, const struct shape *b, const struct shape_words *w);

#endif
