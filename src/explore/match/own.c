/* With --match states: stacks and thread-local blocks. A thread's own are part of its local state, and its
 * accesses to them concern nobody; but a pointer to them may be given to another thread. */
#include "explore/match/model.h"

#include "base/ensure.h"

#include <string.h>

static bool is_foreign(const struct match_model *m, uint64_t object, uint64_t size)
{
    for (uint32_t i = 0; i < m->foreign_count; i++)
        if (m->foreign[i].at < object + size && object < m->foreign[i].at + m->foreign[i].size)
            return true;
    return false;
}

void match_note_foreign(struct match_model *m, const struct event *op)
{
    bool memory = operation_of(op->kind)->object == OBJECT_MEMORY && !operation_is(op->kind, OP_EVERYWHERE);
    int owner = memory ? m->owner_of(op->object) : -1;
    struct foreign new = {op->object, op->size};
    uint32_t kept = 0, at = 0;
    if (owner < 0 || owner == op->thread)
        return;
    for (uint32_t i = 0; i < m->foreign_count; i++) {
        struct foreign f = m->foreign[i];
        uint64_t end = f.at + f.size > new.at + new.size ? f.at + f.size : new.at + new.size;
        if (f.at <= op->object && f.at + f.size >= op->object + op->size)
            return;
        if (f.at >= new.at + new.size || new.at >= f.at + f.size) {
            m->foreign[kept++] = f;
            continue;
        }
        new.at = f.at < new.at ? f.at : new.at; /* they overlap */
        new.size = end - new.at;
    }
    m->begins_anew = true;
    m->foreign_count = kept;
    if (kept == MATCH_FOREIGN) {
        m->full = true;
        return;
    }
    ensure(new.size >= op->size);
    while (at < kept && m->foreign[at].at < new.at)
        at++;
    memmove(m->foreign + at + 1, m->foreign + at, (kept - at) * sizeof new);
    m->foreign[at] = new;
    m->foreign_count++;
}

bool match_only_own(const struct match_model *m, const struct event *op)
{
    return m->states && m->owner_of(op->object) == op->thread && !is_foreign(m, op->object, op->size);
}

uint64_t match_held(const struct match_model *m, int thread)
{
    uint64_t held = 0;
    for (uint32_t i = 0; i < m->mutex_count; i++)
        if (m->now.place[m->mutexes[i]]->state.owner == thread)
            held |= 1ull << i;
    return held;
}

static void keep_guards(struct match_model *m, struct match_slot *s, uint64_t held)
{
    ensure(s->kind == OBJECT_MEMORY);
    m->wrong |= s->guards && !(s->guards & held) && s->private_used;
    s->guards &= held;
}

void match_note_owner(struct match_model *m, const struct match_local *l)
{
    bool frees = operation_is(l->op.kind, OP_EVERYWHERE);
    for (int i = 0; i < l->touches; i++) {
        struct match_slot *s = m->slots[l->slots[i]];
        if (s->guards)
            keep_guards(m, s, frees ? 0 : match_held(m, l->thread));
        if (s->owner == EVENT_MAX_THREADS)
            s->owner = l->thread;
        if (s->owner == l->thread || s->owner < 0)
            continue;
        s->owner = -1;
        m->wrong |= s->private_used;
    }
}
