/* See names.h. With a thread the addresses of what it allocates are the same, but for the part that says
 * whose it is: trace/addresses.h. Values in memory are left as they are: those seen where numbers and names
 * are not the same count as not known (values.c). */
#include "explore/unfold/names.h"

#include "base/ensure.h"
#include "trace/addresses.h"

#include <string.h>

void unfold_names_begin(struct unfold_names *n)
{
    for (uint32_t k = 0; k < n->known; k++) {
        n->number[k] = EVENT_MAX_THREADS;
        n->created[k] = 0;
    }
    n->known = n->known ? n->known : 1;
    n->name[0] = n->number[0] = 0;
    n->threads = 1;
    n->moved = 0;
}

bool unfold_names_create(struct unfold_names *n, const struct event *create)
{
    uint16_t creator = n->name[create->thread], which = ++n->created[creator];
    uint32_t name = 1;
    ensure(create->object == n->threads);
    while (name < n->known && (n->creator[name] != creator || n->which[name] != which))
        name++;
    if (name == EVENT_MAX_THREADS)
        return false;
    if (name == n->known) {
        n->known++;
        n->created[name] = 0;
        n->creator[name] = creator;
        n->which[name] = which;
    }
    n->moved += name != n->threads;
    n->number[name] = (uint16_t)n->threads;
    n->name[n->threads++] = (uint16_t)name;
    return true;
}

void unfold_names_take_back(struct unfold_names *n)
{
    uint16_t name = n->name[--n->threads];
    ensure(n->threads && n->number[name] == n->threads);
    n->moved -= name != n->threads;
    n->number[name] = EVENT_MAX_THREADS;
    n->created[n->creator[name]]--;
}

/* What each thread has `size` bytes of, from `base` on. */
static const struct {
    uint64_t base, size;
} own[] = {
    {HEAP_BASE, HEAP_ARENA}, {THREAD_OBJECTS, 8}, {CANCEL_OBJECTS, 8}, {STACKS_BASE, STACK_SIZE},
    {LOCALS_BASE, LOCALS_SIZE}, {MAPS_BASE, MAPS_SIZE}, {LARGE_STACKS_BASE, LARGE_STACK},
};

static uint64_t address(const struct unfold_names *n, uint64_t a)
{
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        uint64_t number = (a - own[i].base) / own[i].size;
        if (a >= own[i].base && number < n->threads)
            return own[i].base + n->name[number] * own[i].size + (a - own[i].base) % own[i].size;
    }
    return a;
}

/* A thread's number + 1, or 0: nobody. */
static uint64_t somebody(const struct unfold_names *n, uint64_t value)
{
    return value && value <= n->threads ? n->name[value - 1] + 1u : value;
}

const struct event *unfold_names_event(const struct unfold_names *n, const struct event *ev,
                                       struct event *room)
{
    const struct operation *o = operation_of(ev->kind);
    if (!n->moved)
        return ev;
    event_copy(room, ev);
    room->thread = n->name[ev->thread];
    if (!(o->traits & OP_OF_THREAD) && o->follows != FOLLOWS_THREAD)
        room->object = address(n, ev->object);
    else if (ev->object < n->threads)
        room->object = n->name[ev->object];
    if (o->touch == TOUCH_OTHER || o->traits & OP_WOKEN)
        room->other = address(n, ev->other);
    if (o->object == OBJECT_SIGNALS && ev->value) /* whom a signal is for; otherwise which are waited for */
        room->other = address(n, ev->other);
    if (o->traits & OP_WAKES_ONE || ev->kind == EV_FUTEX_MOVE)
        room->value = somebody(n, ev->value);
    if (o->traits & OP_ONE_SOURCE)
        room->value = somebody(n, ev->value + 1) - 1;
    if (ev->kind == EV_FUTEX_WAKE)
        room->other = somebody(n, ev->other);
    return room;
}

int unfold_names_choice(const struct unfold_names *n, const uint16_t *numbers, const uint64_t *groups,
                        int count, int i)
{
    int first = i, end = i, at = 0;
    ensure(i < count);
    while (first && groups[first - 1] == groups[i])
        first--;
    while (end < count && groups[end] == groups[i])
        end++;
    for (at = first; at < end; at++) {
        int before = first;
        for (int k = first; k < end; k++)
            before += n->name[numbers[k]] < n->name[numbers[at]] || (numbers[k] == numbers[at] && k < at);
        if (before == i)
            break;
    }
    ensure(at < end);
    return at;
}
