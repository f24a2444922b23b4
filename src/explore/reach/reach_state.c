/* What the operations recorded so far tell of locks and semaphores. */
#include "explore/reach/reach_state.h"

#include "explore/reach/reach_names.h"
#include "object/object.h"

struct reach_object_state *reach_state_of(struct reach_record *r, uint32_t own)
{
    struct reach_object_state *s = &r->state[own];
    if (s->run != r->run)
        *s = (struct reach_object_state){.run = r->run};
    return s;
}

uint8_t reach_open_list(const struct reach_object_state *s, const struct event *ev)
{
    const struct operation *o = operation_of(ev->kind);
    struct object_state before = OBJECT_UNUSED;
    before.owner = s->held ? s->holder - 1 : -1;
    before.count = (int32_t)(s->held ? s->held : s->readers);
    return o->open ? o->open(&before, ev) : OPEN_TAKE | OPEN_SHARE;
}

static void take(struct reach_record *r, struct reach_object_state *s, const struct event *ev)
{
    s->held += ev->value != 0;
    s->holder = s->held ? (uint16_t)(r->number[ev->thread] + 1) : 0;
}

/* A mutex, if it is one; waking up its waiter takes it as often as it was given back. */
static void take_mutex(struct reach_record *r, struct reach_object_state *s, const struct event *ev,
                       struct reach_thread *t)
{
    const struct operation *o = operation_of(ev->kind);
    if (o->object != OBJECT_MUTEX)
        return;
    take(r, s, ev);
    if (o->traits & OP_WOKEN)
        s->held = t->held;
    else
        t->lock = ev->value ? r->names[s - r->state].key : t->lock;
}

void reach_follow(struct reach_record *r, struct reach_object_state *s, const struct event *ev,
                  struct reach_thread *t)
{
    int role = object_role(ev);
    if (ev->flags & EVENT_FAILED && role != ROLE_TIMEOUT) /* who wakes up without a signal waits no longer */
        return;
    switch (role) {
    case ROLE_ACQUIRE:
        take_mutex(r, s, ev, t);
        break;
    case ROLE_WRITER_IN:
        take(r, s, ev);
        break;
    case ROLE_READER_IN:
        s->readers++;
        break;
    case ROLE_RELEASE:
        if (operation_of(ev->kind)->object == OBJECT_MUTEX) {
            t->lock = 0;
            s->held = (uint32_t)ev->other;
        }
        break;
    case ROLE_WRITER_OUT:
        s->held = 0;
        break;
    case ROLE_READER_OUT:
        s->readers -= s->readers > 0;
        break;
    case ROLE_WAIT:
        t->held = s->held;
        s->held = 0;
        t->waits_on = ev->object;
        t->timed = ev->flags & EVENT_TIMED || reach_can_be_cancelled(r, ev);
        break;
    case ROLE_TIMEOUT:
        t->waits_on = 0;
        t->timed = false;
        break;
    case ROLE_ARRIVE:
    case ROLE_LAST_BUT_ONE:
    case ROLE_OPEN:
        t->barrier = (uint32_t)(s - r->state) + 1;
        break;
    default:
        break;
    }
}

uint32_t reach_count_tokens(struct reach_object_state *s, const struct event *ev)
{
    int64_t after = (int64_t)ev->value, before = after;
    int wanted = operation_of(ev->kind)->role[0], role = object_role(ev);
    if (wanted != ROLE_TAKE && wanted != ROLE_POST)
        return 0;
    before += (role == ROLE_TAKE) - (role == ROLE_POST);
    if (!s->counted)
        s->tokens = (uint32_t)before + 1;
    else if (s->value != before)
        s->tokens = 0;
    s->counted = true;
    s->value = after;
    return s->tokens;
}
