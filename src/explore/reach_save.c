/* Writes the sequence just exercised as text (docs/sequences.md), objects by their address: the host
 * replaces addresses by names. Between executions plain system calls are allowed here. */
#include "explore/reach.h"

#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

struct text {
    char *at, *end;
};

static void put(struct text *t, const char *s)
{
    for (; *s && t->at < t->end; s++)
        *t->at++ = *s == ' ' ? '-' : *s;
}

static void put_number(struct text *t, uint64_t n, unsigned base)
{
    char digits[24];
    int i = sizeof digits;
    digits[--i] = 0;
    do
        digits[--i] = "0123456789abcdef"[n % base];
    while (n /= base);
    put(t, &digits[i]);
}

static void put_character(struct text *t, char c)
{
    if (t->at < t->end)
        *t->at++ = c;
}

/* Which of its sender's messages to the port it is, from 1. */
static uint32_t message_number(const struct reach_record *r, uint32_t send)
{
    uint32_t n = 1;
    while ((send = r->ops[send].prev) != REACH_NONE)
        n++;
    return n;
}

static void put_op(struct text *t, const struct engine *e, const struct reach_op *op)
{
    const struct reach *st = e->state;
    const struct event *ev = &e->trace->events[op->event];
    put_number(t, st->record.thread[op->thread].runtime, 10);
    put_character(t, ' ');
    if (op->class == REACH_BRANCH) {
        put(t, "choose");
        put_character(t, ' ');
        put_number(t, op->partner, 10);
        put_character(t, '\n');
        return;
    }
    put(t, event_name(op->kind));
    if (op->kind != EV_PORT_ELSE) {
        put_character(t, ' ');
        put(t, "0x");
        put_number(t, ev->object, 16);
    }
    if (op->class == REACH_RECEIVE && op->partner != REACH_ELSE) {
        put_character(t, ' ');
        put(t, "from");
        put_character(t, ' ');
        put_number(t, st->record.thread[st->record.ops[op->partner].thread].runtime, 10);
        put_character(t, '#');
        put_number(t, message_number(&st->record, op->partner), 10);
    }
    put_character(t, '\n');
}

static void put_name(struct text *t, const char *directory, uint64_t number)
{
    char digits[16];
    for (; *directory; directory++)
        put_character(t, *directory);
    digits[7] = 0;
    for (int i = 6; i >= 0; i--, number /= 10)
        digits[i] = (char)('0' + number % 10);
    put(t, "/");
    put(t, digits);
    put(t, ".seq");
    put_character(t, 0);
}

void reach_save(const struct engine *e, const char *directory)
{
    struct reach *st = e->state;
    char *buffer = st->stack + st->used; /* scratch above the stack */
    size_t room = (size_t)st->record.count * 96 + 4096;
    if (room > st->size - st->used)
        return;
    struct text t = {buffer, buffer + room};
    put_name(&t, directory, ++st->saved);
    char *text = t.at;
    for (const char *s = "raddle sequence 1\n"; *s; s++)
        put_character(&t, *s);
    for (uint32_t k = 0; k < st->record.count; k++)
        if (st->record.ops[k].flags & REACH_DONE)
            put_op(&t, e, &st->record.ops[k]);
    long fd = syscall(SYS_openat, AT_FDCWD, buffer, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (fd < 0 || syscall(SYS_write, fd, text, (size_t)(t.at - text)) != t.at - text)
        st->save_failed = true;
    if (fd >= 0)
        syscall(SYS_close, fd);
}
