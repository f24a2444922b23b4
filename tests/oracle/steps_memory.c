/* steps_memory.c — atomic memory of all sizes (objects may overlap), and loops that look at it. */
#include "state.h"

#include <string.h>

static uint64_t load(const struct state *s, const struct instruction *i)
{
    uint64_t value = 0;
    memcpy(&value, s->memory + i->a, i->b / 8);
    return value;
}

static void store(struct state *s, const struct instruction *i, uint64_t value)
{
    memcpy(s->memory + i->a, &value, i->b / 8);
}

static uint64_t cut(const struct instruction *i, uint64_t value)
{
    return i->b == 64 ? value : value & ((UINT64_C(1) << i->b) - 1);
}

static uint64_t updated(const struct instruction *i, uint64_t old, int64_t from_register)
{
    uint64_t v = (uint64_t)(int64_t)i->v;
    switch (i->op) {
    case OP_STORE:
    case OP_XCHG:
        return v;
    case OP_STORE_REG:
        return from_register;
    case OP_ADD:
        return old + v;
    case OP_SUB:
        return old - v;
    case OP_OR:
        return old | v;
    case OP_AND:
        return old & v;
    case OP_XOR:
        return old ^ v;
    default:
        return old;
    }
}

/* Load, then compare and exchange until nobody came between. */
static void cas_loop(struct moves *m, int t, const struct instruction *i)
{
    struct state next = *m->from;
    struct thread *own = &next.thread[t];
    uint64_t old = load(&next, i);
    if (own->phase == 1 && cut(i, own->kept) == old) {
        store(&next, i, cut(i, old + i->v));
        step_done(m, &next, t, old);
        return;
    }
    own->kept = old;
    step_within(m, &next, t, 1);
}

/* So many looks, then it gives up; giving way in between promises nothing. */
static void poll_rounds(struct moves *m, int t, const struct instruction *i)
{
    struct state next = *m->from;
    struct thread *own = &next.thread[t];
    if (load(&next, i) == cut(i, i->v))
        step_done(m, &next, t, own->kept);
    else if (++own->kept == i->x)
        step_done(m, &next, t, -1);
    else
        step_within(m, &next, t, 1);
}

static bool moves_racy(struct moves *m, int t, const struct instruction *i)
{
    struct state next = *m->from;
    if (i->op != OP_RACY_LOAD && i->op != OP_RACY_STORE)
        return false;
    if (i->op == OP_RACY_STORE)
        next.racy[i->a] = i->v;
    step_done(m, &next, t, next.racy[i->a]);
    return true;
}

bool moves_memory(struct moves *m, int t, const struct instruction *i)
{
    if (i->op < OP_LOAD || i->op > OP_POLL)
        return moves_racy(m, t, i);
    struct state next = *m->from;
    uint64_t old = load(&next, i);
    switch (i->op) {
    case OP_CAS_LOOP:
        cas_loop(m, t, i);
        break;
    case OP_POLL:
        poll_rounds(m, t, i);
        break;
    case OP_SPIN:
    case OP_SPIN_WHILE:
        if ((old == cut(i, i->v)) == (i->op == OP_SPIN))
            step_done(m, &next, t, 0);
        else
            m->found(m->who, &next, t); /* a look that changes nothing */
        break;
    case OP_CAS:
        if (old == cut(i, i->v))
            store(&next, i, cut(i, i->w));
        step_done(m, &next, t, old);
        break;
    default:
        store(&next, i, cut(i, updated(i, old, m->from->thread[t].reg[i->w])));
        step_done(m, &next, t, old);
    }
    return true;
}
