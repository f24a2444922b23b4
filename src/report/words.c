/* One phrase per kind of event, with placeholders:
 *   {o} the object   {m} `other` as an object   {v} value   {w} other as a value
 *   {t} the other thread   {k} thread number value-1   {s} size   {d} value as a duration */
#include "report/words.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *done, *failed;
} phrases[EVENT_KINDS] = {
    [EV_LOAD] = {"reads {o}: {v}", NULL},
    [EV_STORE] = {"writes {o} = {v}", NULL},
    [EV_RMW] = {"updates {o}: {w} → {v}", NULL},
    [EV_CAS] = {"compares and exchanges {o}", NULL},
    [EV_CAS_FAIL] = {"compare-exchange fails, {o}: {v}", NULL},
    [EV_READ] = {"reads {o}: {v}", NULL},
    [EV_WRITE] = {"writes {o} = {v}", NULL},
    [EV_FREE] = {"frees {o}", NULL},
    [EV_FENCE] = {"fence", NULL},
    [EV_LOCK] = {"locks {o}", "cannot lock {o}"},
    [EV_TRYLOCK] = {"trylock {o} succeeds", "trylock {o} fails"},
    [EV_TIMEDLOCK] = {"locks {o} in time", "times out on {o}"},
    [EV_UNLOCK] = {"unlocks {o}", NULL},
    [EV_LOCK_DESTROY] = {"destroys {o}", NULL},
    [EV_COND_WAIT] = {"waits on {o}, gives back {m}", NULL},
    [EV_COND_WAKE] = {"wakes up, takes {o} again", NULL},
    [EV_COND_TIMEOUT] = {"times out on {o}", NULL},
    [EV_COND_SIGNAL] = {"signals {o}, wakes thread {k}", "signals {o}, nobody waits"},
    [EV_COND_BROADCAST] = {"broadcasts {o}", NULL},
    [EV_SEM_WAIT] = {"takes {o}, leaves {v}", NULL},
    [EV_SEM_TRYWAIT] = {"takes {o}, leaves {v}", "trywait {o} fails"},
    [EV_SEM_TIMEDWAIT] = {"takes {o}, leaves {v}", "times out on {o}"},
    [EV_SEM_POST] = {"posts {o}, now {v}", NULL},
    [EV_SEM_GETVALUE] = {"reads {o}: {v}", NULL},
    [EV_RDLOCK] = {"read-locks {o}", "cannot read-lock {o}"},
    [EV_TRYRDLOCK] = {"tryrdlock {o} succeeds", "tryrdlock {o} fails"},
    [EV_TIMEDRDLOCK] = {"read-locks {o} in time", "times out on {o}"},
    [EV_WRLOCK] = {"write-locks {o}", "cannot write-lock {o}"},
    [EV_TRYWRLOCK] = {"trywrlock {o} succeeds", "trywrlock {o} fails"},
    [EV_TIMEDWRLOCK] = {"write-locks {o} in time", "times out on {o}"},
    [EV_RW_UNLOCK] = {"unlocks {o}", NULL},
    [EV_BARRIER] = {"arrives last at {o}: it opens", "arrives at {o}"},
    [EV_BARRIER_LEAVE] = {"goes on after the barrier", NULL},
    [EV_BINARY_WAIT] = {"takes {o}", NULL},
    [EV_BINARY_POST] = {"posts {o}, now {v}", NULL},
    [EV_PORT_SEND] = {"sends to {o}", NULL},
    [EV_PORT_OPEN] = {"can receive from {o}", NULL},
    [EV_PORT_SELECT] = {"selects", NULL},
    [EV_PORT_RECEIVE] = {"receives from {o}", NULL},
    [EV_PORT_ELSE] = {"receives nothing: else", NULL},
    [EV_PORT_TAKEN] = {"was received by {t}", NULL},
    [EV_PORT_UNIFORM] = {"declares {o} uniform", NULL},
    [EV_MONITOR_ENTER] = {"enters {o}", NULL},
    [EV_MONITOR_EXIT] = {"leaves {o}", NULL},
    [EV_MONITOR_WAIT] = {"waits on {m} in {o}", NULL},
    [EV_MONITOR_SIGNAL] = {"signals {m}, wakes thread {k}", "signals {m}, nobody waits"},
    [EV_MONITOR_RESUME] = {"was woken in {o}", NULL},
    [EV_SYMMETRIC] = {"is one of symmetric threads", NULL},
    [EV_IO_READ] = {"receives {v} bytes from {o}", "finds nothing in {o}"},
    [EV_IO_WRITE] = {"sends {v} bytes to {o}", "finds {o} full"},
    [EV_IO_CLOSE] = {"closes {o}", NULL},
    [EV_IO_POLL] = {"polls: {v} ready", NULL},
    [EV_QUEUE_SEND] = {"sends to {o}, now {v}", "is interrupted sending to {o}"},
    [EV_QUEUE_RECEIVE] = {"receives from {o}, leaves {v}", "is interrupted receiving from {o}"},
    [EV_QUEUE_TRYSEND] = {"sends to {o}, now {v}", "finds {o} full"},
    [EV_QUEUE_TRYRECEIVE] = {"receives from {o}, leaves {v}", "finds nothing in {o}"},
    [EV_QUEUE_LOOK] = {"looks at {o}: {v} messages", NULL},
    [EV_QUEUE_SET] = {"changes or closes {o}", NULL},
    [EV_FUTEX_WAIT] = {"waits on futex {o}", "does not wait on futex {o}"},
    [EV_FUTEX_WAKE] = {"wakes {v} on futex {o}", NULL},
    [EV_FUTEX_RESUME] = {"is woken on futex {o}", NULL},
    [EV_SIGNAL_SEND] = {"sends signal {v}", NULL},
    [EV_SIGNAL_WAIT] = {"receives signal {v}", "finds no signal"},
    [EV_CANCEL] = {"cancels a thread", NULL},
    [EV_AWAIT] = {"waits for a change and goes on", "goes on, as nobody else can"},
    [EV_CANCEL_POINT] = {"is cancelled", "is not cancelled"},
    [EV_JOIN_TRY] = {"joins a thread in time", "finds a thread not ended"},
    [EV_THREAD_END] = {"has ended", NULL},
    [EV_CREATE] = {"creates {t}", NULL},
    [EV_START] = {"starts", NULL},
    [EV_JOIN] = {"joins {t}", NULL},
    [EV_EXIT] = {"ends", NULL},
    [EV_CHOOSE] = {"chooses {v} of {w}", NULL},
    [EV_YIELD] = {"yields", NULL},
    [EV_SLEEP] = {"sleeps {d}", NULL},
    [EV_NOTE] = {"note", NULL},
    [EV_ALLOC] = {"allocates {o}, {s} bytes", NULL},
};

/* Did it get what it wanted? For kinds that have two phrases. */
static int succeeded(const struct event *e)
{
    switch (e->kind) {
    case EV_SEM_TRYWAIT:
    case EV_SEM_TIMEDWAIT:
        return e->other != 0;
    case EV_LOCK:
    case EV_RDLOCK:
    case EV_WRLOCK:
    case EV_IO_READ:
    case EV_IO_WRITE:
    case EV_FUTEX_WAIT:
    case EV_QUEUE_SEND:
    case EV_QUEUE_RECEIVE:
    case EV_QUEUE_TRYSEND:
    case EV_QUEUE_TRYRECEIVE:
        return !(e->flags & EVENT_FAILED);
    default:
        return e->value != 0;
    }
}

static void put_duration(struct sbuf *out, uint64_t ns)
{
    static const struct {
        double unit;
        const char *name;
    } units[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "µs"}, {1, "ns"}};
    size_t i = 0;
    while (i < 3 && (double)ns < units[i].unit)
        i++;
    sbuf_printf(out, "%g %s", (double)ns / units[i].unit, units[i].name);
}

static void put(struct names *n, const struct event *e, size_t at, char what, struct sbuf *out)
{
    switch (what) {
    case 'o':
        sbuf_puts(out, names_object(n, e->object, e->size, at));
        break;
    case 'm':
        sbuf_puts(out, names_object(n, e->other, 0, at));
        break;
    case 'v':
        sbuf_puts(out, names_value(n, e->value, e->size, at));
        break;
    case 'w':
        sbuf_puts(out, names_value(n, e->other, e->size, at));
        break;
    case 't':
        sbuf_puts(out, names_thread_full(n, (int)e->object));
        break;
    case 'k':
        sbuf_printf(out, "%d", (int)e->value - 1);
        break;
    case 's':
        sbuf_printf(out, "%u", e->size);
        break;
    case 'd':
        put_duration(out, e->value);
        break;
    }
}

static void fill_in(struct names *n, const struct event *e, size_t at, const char *phrase,
                    struct sbuf *out)
{
    for (const char *p = phrase; *p; p++) {
        if (p[0] == '{' && p[1] && p[2] == '}') {
            put(n, e, at, p[1], out);
            p += 2;
        } else {
            sbuf_putc(out, *p);
        }
    }
}

void words_event(struct names *n, size_t event, struct sbuf *out)
{
    const struct tale_event *t = &n->tale->events.items[event];
    const struct event *e = &t->event;
    if (t->note) {
        sbuf_printf(out, t->prints ? "prints “%s”" : "“%s”", t->note);
        return;
    }
    const char *failed = phrases[e->kind].failed, *done = phrases[e->kind].done;
    const char *phrase = failed && !succeeded(e) ? failed : done;
    fill_in(n, e, event, phrase ? phrase : event_name(e->kind), out);
}

void words_pending(struct names *n, const struct event *next, struct sbuf *out)
{
    size_t at = n->tale->events.count;
    sbuf_puts(out, event_name(next->kind));
    if (next->kind == EV_JOIN || next->kind == EV_CREATE)
        sbuf_printf(out, " thread %d", (int)next->object);
    else if (next->object)
        sbuf_printf(out, " %s", names_object(n, next->object, next->size, at));
}

const char *words_about(struct names *n, const char *text, uint64_t object, size_t at)
{
    const char *hole = strstr(text, "{}");
    if (!hole)
        return text;
    const char *name = object ? names_object(n, object, 0, at) : "it";
    return names_keep(n, mem_printf("%.*s%s%s", (int)(hole - text), text, name, hole + 2));
}
