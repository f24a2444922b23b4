/* Synchronization sequences as text: one operation per line, in an order that extends the partial
 * order; '#' at the start of a line begins a comment.
 *
 *     raddle sequence 1
 *     2 sem-wait empty                 thread, operation, object; a thread that another than main creates
 *                                      is called after its creator: 2.1 is the first that thread 2 creates
 *     1 receive deposit from 3#1       … the first message of thread 3 to that port
 *     1 else                           a selective wait that received nothing
 *     4 choose 1                       raddle_choose(), or which waiter the signal before it wakes
 *
 *     racy prog+0x11d0                 a plain access at this place of the code is an operation too
 *
 * Objects are variables of the program ("name" or "name+0x40") or addresses. If no line is a send,
 * sends happen as soon as they can. */
#ifndef REPORT_SEQUENCE_TEXT_H
#define REPORT_SEQUENCE_TEXT_H

#include "report/objects.h"
#include "trace/sequence.h"

struct sequence_text {
    VEC(struct event) ops; /* as trace/sequence.h wants them */
    VEC(int) lines;        /* of each, in the file */
    VEC(char *) texts;     /* of each, as it is there */
    struct sbuf racy;      /* lines "module+0xoffset\n" */
};

int sequence_read(struct sequence_text *s, const char *path, const struct objects *o,
                  struct error *e);
void sequence_text_free(struct sequence_text *s);

/* "2 sem-wait empty": an operation that was possible when the sequence q was followed. */
void sequence_format(const struct sequence *q, const struct event *op, const struct objects *o,
                     struct sbuf *out);

#endif
