/* generate_memory.c — operations on atomic memory, and loops that wait for it. */
#include "generate.h"

static struct instruction access(struct maker *g, enum op op)
{
    int place = pick(g, 2), bits = g->bits;
    int at = g->place[place];
    if (has(g, F_overlap) && chance(g, 40)) {
        bits = 8 << pick(g, 4);
        at -= at % (bits / 8);
    }
    return (struct instruction){op, -1, at, bits, pick(g, 3), 0, 0};
}

void make_memory(struct maker *g)
{
    if (has(g, F_racy) && chance(g, 50)) {
        struct instruction racy = {chance(g, 55) ? OP_RACY_LOAD : OP_RACY_STORE, -1, pick(g, 2), 0,
                                   1 + pick(g, 2), 0, 0};
        if (racy.op == OP_RACY_LOAD)
            maybe_if(g, put_result(g, racy), pick(g, 2));
        else
            put(g, racy);
        return;
    }
    if (!has(g, F_atomics) || (g->depth && (g->theme & (g->theme - 1)) && chance(g, 75)))
        return; /* more often what the theme is about */
    static const enum op ops[] = {OP_LOAD, OP_LOAD, OP_LOAD, OP_STORE, OP_STORE, OP_ADD,
                                  OP_SUB,  OP_OR,   OP_AND,  OP_XOR,   OP_XCHG,  OP_CAS};
    struct instruction i = access(g, ops[pick(g, sizeof ops / sizeof *ops)]);
    if (has(g, F_casloop) && chance(g, 40))
        i.op = OP_CAS_LOOP;
    if (i.op == OP_STORE) {
        i.v += chance(g, 50) ? 1 : 0;
        if (g->registers[g->body] > 0 && g->body < THREADS && chance(g, 30)) {
            i.op = OP_STORE_REG;
            i.w = pick(g, g->registers[g->body]);
        }
        put(g, i);
        return;
    }
    if (i.op == OP_CAS)
        i.w = 1 + pick(g, 3);
    if (i.op != OP_LOAD && i.op != OP_CAS && i.op != OP_XCHG)
        i.v++;
    int reg = put_result(g, i);
    maybe_if(g, reg, pick(g, 3));
}

/* Sleeping is a cancellation point, which these loops are not in the enumerator. */
static int a_way_to_wait(struct maker *g)
{
    int how = 1 + pick(g, 3);
    return how == 2 && has(g, F_cancel) ? 1 : how;
}

/* Waiting without end only where somebody promises what is waited for (and sometimes does not keep
 * it). */
void make_waiting(struct maker *g)
{
    bool spin = has(g, F_spin), yield = has(g, F_spinyield), poll = has(g, F_poll);
    if ((!spin && !yield && !poll) || g->body >= THREADS || !chance(g, 60))
        return;
    int how = yield && (!spin || chance(g, 60)) ? a_way_to_wait(g) : 0;
    struct instruction i = access(g, chance(g, 60) ? OP_SPIN : OP_SPIN_WHILE);
    i.w = how;
    if (poll && chance(g, spin || yield ? 40 : 100)) {
        i.op = OP_POLL;
        i.w = yield || chance(g, 50) ? pick(g, 2) * a_way_to_wait(g) : 0;
        i.x = 1 + pick(g, 3);
        i.v = 1 + pick(g, 2);
        int reg = put_result(g, i);
        maybe_if(g, reg, -1);
        return;
    }
    if ((!spin && !yield) || g->loops++ > 1)
        return; /* more of them together take long without reduction */
    i.v = i.op == OP_SPIN ? 1 + pick(g, 2) : 0;
    put(g, i);
    promise(g, (struct instruction){OP_STORE, -1, i.a, i.b, i.op == OP_SPIN ? i.v : 1, 0, 0});
}
