/* Sets of synchronization sequences, however many: as a worker leaves them (trace/spool.h), and as a tree
 * in a file (the SR_Tree of 001_*.txt, section 3.5). Both are read one sequence after the other, in the
 * same order, so that two sets are compared without having either in memory.
 *
 * The file:
 *     raddle tree 1
 *     program bb-semaphore
 *     complete yes                 were these all sequences of the program?
 *     thread 1 producer            thread 2.1 would be the first that thread 2 creates
 *     operation 1 sem-wait d       in the order of their texts; the first one has number 0
 *     sequence 0 3 7 1             the numbers of its operations …
 *     sequence 2 4 5               … the first two are those of the sequence before it
 *     end 2                        how many there were */
#ifndef REPORT_SEQUENCES_H
#define REPORT_SEQUENCES_H

#include "report/objects.h"

struct seq_thread {
    char *name, *function;
};

/* What the sequences of a set are made of. */
struct seq_words {
    char *program;
    int complete;
    VEC(struct seq_thread) threads;
    VEC(char *) ops; /* sorted */
};

/* One after the other: next() makes the following one `ops`, `count`; 0 at the end, -1 on an error. */
struct seq_stream {
    struct seq_words words;
    uint32_t *ops;
    size_t count, room;
    int (*next)(struct seq_stream *s, struct error *e);
    void (*close)(struct seq_stream *s);
    void *state;
};

/* Files of workers: `bytes[i]` of the file descriptor `fds[i]`. At most `memory` bytes are used at a time;
 * what does not fit is sorted in temporary files. */
int seq_open_spool(struct seq_stream *s, const int *fds, const uint64_t *bytes, int count,
                   const struct objects *o, size_t memory, struct error *e);
int seq_open_tree(struct seq_stream *s, const char *path, struct error *e);
void seq_close(struct seq_stream *s);

struct seq_writer;
struct seq_writer *seq_create(const char *path, const struct seq_words *w, struct error *e);
void seq_write(struct seq_writer *w, const uint32_t *ops, size_t count);
int seq_finish(struct seq_writer *w, struct error *e); /* writes the end and frees it */

/* The operations of both, and for each of theirs its number there. */
void seq_words_union(const struct seq_words *a, const struct seq_words *b, struct seq_words *out,
                     uint32_t **of_a, uint32_t **of_b);
void seq_words_free(struct seq_words *w);
int seq_compare(const uint32_t *a, size_t an, const uint32_t *b, size_t bn);
size_t seq_common(const uint32_t *a, size_t an, const uint32_t *b, size_t bn); /* length of the prefix */

#endif
