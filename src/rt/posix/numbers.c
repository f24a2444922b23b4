/* The numbers of descriptors. The kernel gives the lowest one that is free, so which one an open() gets
 * depends on what other threads opened and closed before. A program that uses a number only between its own
 * open and close does not notice. One that closes twice, or uses what another thread may have closed, can
 * meet another file there: in such a program opening, closing and using are steps on one object more, the
 * list of who has which number. That a program is of this kind is noticed by the clocks, like a data race,
 * and remembered like one: as a racy place, which is an address in here.
 *
 * A step has one object, and most of these calls are steps on something else, too: they are performed
 * between two steps on the list. Whoever changes the list does it before the first or after the second, so
 * the order of steps tells what the call met; and what a call can meet that happens at once is met where its
 * steps follow each other. */
#include "rt/posix/numbers.h"

#include "rt/abi/access.h"
#include "rt/check/finding.h"
#include "rt/check/racy.h"
#include "rt/core/block.h"
#include "rt/core/sched.h"
#include "rt/core/sync.h"
#include "rt/posix/descriptors.h"
#include "rt/tell/story.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum number_state { NUMBER_UNKNOWN, NUMBER_OPEN, NUMBER_CLOSED };

#define USERS 4
struct moment {
    uint16_t thread;
    uint32_t time; /* of its clock; 0: none */
};
struct number {
    uint8_t state;
    struct moment opened;
    struct moment users[USERS]; /* the last uses, by different threads */
};
static struct number numbers[DESCRIPTORS];
static int above; /* all numbers that are not as at the start */
static struct {
    int fd; /* 0: none */
    uint64_t pc;
} using[EVENT_MAX_THREADS]; /* the number that a call of the thread uses */
static bool any_using;

void numbers_reset(void)
{
    if (above)
        rt_fill(numbers, 0, (size_t)above * sizeof numbers[0]);
    above = 0;
    if (any_using)
        rt_fill(using, 0, sizeof using);
    any_using = false;
}

static bool concerned(void)
{
    return RT_UNLIKELY(rt.active && rt.threads > 1);
}

static struct number *number_of(int fd)
{
    if (fd < 0 || fd >= DESCRIPTORS)
        return NULL;
    above = fd >= above ? fd + 1 : above;
    return &numbers[fd];
}

/* ---- does the program notice? ------------------------------------------------------------------- */

static void matter(void)
{
    finding_promote((uintptr_t)matter);
}

static bool are_steps(void)
{
    return racy_is_point((uintptr_t)matter);
}

static struct moment now(void)
{
    return (struct moment){(uint16_t)rt.current, rt.self->clock.c[rt.current]};
}

static bool known(struct moment m)
{
    const struct vclock *c = &rt.self->clock;
    return !m.time || m.thread == rt.current || (m.thread < c->n && c->c[m.thread] >= m.time);
}

static void note_use(struct number *n)
{
    int i = 0;
    while (i < USERS - 1 && n->users[i].time && n->users[i].thread != rt.current)
        i++;
    if (n->users[i].thread != rt.current && !known(n->users[i]))
        matter(); /* more users than there is room for */
    n->users[i] = now();
}

static void check_use(struct number *n)
{
    if (n->state == NUMBER_CLOSED || !known(n->opened))
        matter();
}

static void check_close(struct number *n)
{
    check_use(n);
    for (int i = 0; i < USERS; i++)
        if (!known(n->users[i]))
            matter();
}

/* ---- steps ------------------------------------------------------------------------------------ */

static int lowest_free(void)
{
    int fd = 0;
    while (syscall(SYS_fcntl, fd, F_GETFD) >= 0)
        fd++;
    return fd;
}

/* fd: -1 = the one that the next to open gets. */
static void step(enum event_kind kind, int fd, uint64_t pc)
{
    int error = errno;
    struct sync *s = sync_get(NUMBERS_OBJECT, SYNC_OTHER);
    struct event *op = sched_op(kind, NUMBERS_OBJECT, 8, pc);
    if (rt.recording)
        story_name(NUMBERS_OBJECT, 8, "the list of descriptors");
    sched_visit();
    op->value = (uint64_t)(fd < 0 ? lowest_free() : fd);
    object_perform(&s->now, op);
    block_done(op);
    errno = error;
}

static bool is_step(void)
{
    return concerned() && are_steps();
}

void numbers_before_open(uint64_t pc)
{
    if (is_step())
        step(EV_NUMBER_OPEN, -1, pc);
}

void numbers_opened(const int *fds, int count, uint64_t pc)
{
    for (int i = 0; rt.active && i < count; i++) {
        struct number *n = number_of(fds[i]);
        if (n)
            *n = (struct number){.state = NUMBER_OPEN, .opened = now()};
    }
    if (count > 0 && fds[0] >= 0 && is_step())
        step(EV_NUMBER_OPEN, fds[0], pc);
}

void numbers_before_close(int fd, uint64_t pc)
{
    struct number *n = concerned() ? number_of(fd) : NULL;
    if (!n)
        return;
    check_close(n);
    if (are_steps())
        step(EV_NUMBER_CLOSE, fd, pc);
}

void numbers_before_replace(int fd, uint64_t pc)
{
    struct number *n = concerned() ? number_of(fd) : NULL;
    if (n && n->state == NUMBER_OPEN)
        check_close(n);
    if (n && are_steps())
        step(EV_NUMBER_OPEN, fd, pc);
}

void numbers_closed(int fd, bool later, uint64_t pc)
{
    struct number *n = concerned() ? number_of(fd) : NULL;
    if (!n)
        return;
    *n = (struct number){.state = NUMBER_CLOSED};
    if (later && are_steps())
        step(EV_NUMBER_CLOSE, fd, pc);
}

void numbers_before_use(int fd, uint64_t pc)
{
    struct number *n = concerned() && fd > STDERR_FILENO ? number_of(fd) : NULL;
    if (!n)
        return;
    check_use(n);
    note_use(n);
    if (!are_steps())
        return;
    step(EV_NUMBER_USE, fd, pc);
    using[rt.current].fd = fd;
    using[rt.current].pc = pc;
    any_using = true;
}

void numbers_used(bool later)
{
    int fd = any_using ? using[rt.current].fd : 0;
    if (!fd)
        return;
    using[rt.current].fd = 0;
    if (later)
        step(EV_NUMBER_USE, fd, using[rt.current].pc);
}
