/* What is kept of every execution, in the worker's own file; the host puts the files together.
 * --all-traces: one line per execution, its events in canonical order (trace/canonical.h).
 * --save-sequences and the like: what the engine says of it instead. */
#include "rt/check/finding.h"
#include "rt/core/team.h"

#include "trace/canonical.h"

#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static char buffer[1 << 16];
static size_t used;

static void flush(void)
{
    struct shared *s = rt.shared;
    for (size_t at = 0; at < used;) {
        long n = syscall(SYS_pwrite64, s->config.traces_fd, buffer + at, used - at,
                         s->traces_bytes);
        if (n <= 0) {
            finding_limit(LIMIT_SPOOL, 0);
            break;
        }
        at += (size_t)n;
        s->traces_bytes += (uint64_t)n;
    }
    used = 0;
}

static void put_description(void)
{
    const char *bytes;
    bool cut = rt.self && rt.self->state == THREAD_LOCAL && !rt.main_done;
    size_t n = rt.strategy->describe ? rt.strategy->describe(&rt.engine, cut, &bytes) : 0;
    for (size_t at = 0; at < n;) {
        size_t part = n - at < sizeof buffer ? n - at : sizeof buffer;
        rt_copy(buffer, bytes + at, part);
        used = part;
        flush();
        at += part;
    }
}

/* "2:lock(0x4040)", "2:trylock!(0x4040)" if it failed; with the value for what reads or chooses one. */
static void put_event(const struct event *e)
{
    if (used > sizeof buffer - 160)
        flush();
    used += (size_t)snprintf(buffer + used, 96, "%s%u:%s%s", used && buffer[used - 1] != '\n' ? " " : "",
                             e->thread, event_name(e->kind), e->flags & EVENT_FAILED ? "!" : "");
    if (e->object)
        used += (size_t)snprintf(buffer + used, 32, "(%#llx)", (unsigned long long)e->object);
    enum event_class c = event_class(e->kind);
    if (c == CLASS_READ || c == CLASS_RMW || e->kind == EV_CHOOSE)
        used += (size_t)snprintf(buffer + used, 32, "=%llu", (unsigned long long)e->value);
    if (operation_is(e->kind, OP_ONE_SOURCE) && e->match)
        used += (size_t)snprintf(buffer + used, 32, "=%u.%u", rt.trace->events[e->match - 1].thread,
                                 rt.trace->events[e->match - 1].index);
}

/* Room for the events of the longest execution, from the same place every time. */
static void *room_for(size_t bytes)
{
    static void *room;
    if (!room)
        room = rt_map(NULL, bytes, "canonical traces");
    return room;
}

void traces_write(void)
{
    if (rt.shared->config.describe) {
        put_description();
        return;
    }
    const struct trace *t = rt.trace;
    size_t n = t->event_room;
    char *room = room_for(n * (sizeof(struct act) + sizeof(uint32_t) + sizeof(struct event)));
    struct act *acts = (struct act *)room;
    struct event *events = (struct event *)(acts + n);
    uint32_t *order = (uint32_t *)(events + n), count = 0;
    for (uint32_t i = 0; i < t->event_count; i++)
        if (!(t->events[i].flags & EVENT_PLAIN))
            events[count++] = t->events[i];
    canonical_order(events, count, acts, order);
    for (uint32_t i = 0; i < count; i++)
        put_event(&events[order[i]]);
    buffer[used++] = '\n';
    flush();
}
