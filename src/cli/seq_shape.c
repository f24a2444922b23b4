/* Equality is decided by finding the renaming. Where one thread goes to is guessed; that forces where
 * all threads go that are connected with it (by an object or a message), so a guess is right or wrong at
 * once. Parts that are not connected can be exchanged if they are equal, so no guess is ever taken back
 * for the sake of a later one. The hash only saves comparisons. */
#include "cli/seq_shape.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

static void link_places(struct shape_place *places, uint32_t *last, uint32_t k, int before)
{
    int way = before == SHAPE_OBJECT_BEFORE;
    if (*last) {
        places[k].to[before] = *last;
        places[*last - 1].to[before + 1] = k + 1;
        places[k].position[way] = places[*last - 1].position[way] + 1;
    }
    *last = k + 1;
}

/* The send that place k received from: the message with that number of the sender to the port. */
static void link_message(struct shape *s, const struct shape_words *w, uint32_t k)
{
    uint32_t op = s->places[k].op, number = 0;
    for (uint32_t i = 0; i < k && w->sender[op]; i++) {
        uint32_t other = s->places[i].op;
        if (w->is_send[other] && w->thread[other] == w->sender[op] - 1 &&
            w->object[other] == w->object[op] && ++number == w->message[op]) {
            s->places[k].to[SHAPE_PARTNER] = i + 1;
            s->places[i].to[SHAPE_PARTNER] = k + 1;
        }
    }
}

void shape_make(struct shape *s, const struct shape_words *w, const uint32_t *ops, uint32_t count)
{
    if (!s->last) {
        s->last = mem_alloc((w->threads + w->objects + 2) * sizeof *s->last);
        s->first = mem_alloc((w->threads + 1) * sizeof *s->first);
        s->length = mem_alloc((w->threads + 1) * sizeof *s->length);
    }
    if (count + 1 > s->room)
        s->places = mem_realloc(s->places, (s->room = 2 * (size_t)count + 1) * sizeof *s->places);
    memset(s->last, 0, (w->threads + w->objects + 2) * sizeof *s->last);
    memset(s->first, 0, (w->threads + 1) * sizeof *s->first);
    memset(s->length, 0, (w->threads + 1) * sizeof *s->length);
    s->count = count;
    for (uint32_t k = 0; k < count; k++) {
        uint32_t op = ops[k], thread = w->thread[op];
        s->places[k] = (struct shape_place){.op = op};
        s->first[thread] = s->length[thread]++ ? s->first[thread] : k + 1;
        link_places(s->places, &s->last[thread], k, SHAPE_BEFORE);
        if (!w->is_send[op] && !w->sender[op] && w->object[op])
            link_places(s->places, &s->last[w->threads + w->object[op]], k, SHAPE_OBJECT_BEFORE);
        link_message(s, w, k);
    }
}

void shape_free(struct shape *s)
{
    free(s->places);
    free(s->first);
    free(s->length);
    free(s->last);
}

static uint64_t mixed(uint64_t h, uint64_t x)
{
    h = (h + 0x9e3779b97f4a7c15u) * 0xbf58476d1ce4e5b9u ^ x;
    h *= 0x94d049bb133111ebu;
    return h ^ h >> 29;
}

/* Every operation is told by what it is, where it stands in its thread and on its object, and by the
 * same of its neighbours, of theirs, and so on. */
uint64_t shape_hash(const struct shape *s, const struct shape_words *w)
{
    uint64_t sum = s->count;
    for (uint32_t k = 0; k < s->count; k++) {
        struct shape_place *p = &s->places[k];
        uint64_t h = mixed(mixed(1, w->rest[p->op]), w->function[w->thread[p->op]]);
        p->label = mixed(mixed(h, p->position[0]), p->position[1]);
    }
    for (int round = 0; round < 6; round++) {
        for (uint32_t k = 0; k < s->count; k++) {
            struct shape_place *p = &s->places[k];
            p->next = p->label;
            for (int i = 0; i < SHAPE_NEIGHBOURS; i++)
                p->next = mixed(p->next, p->to[i] ? s->places[p->to[i] - 1].label : 0);
        }
        for (uint32_t k = 0; k < s->count; k++)
            s->places[k].label = s->places[k].next;
    }
    for (uint32_t k = 0; k < s->count; k++)
        sum += mixed(s->places[k].label, 7);
    return sum;
}

/* ---- the renaming ---- */

struct matching {
    const struct shape *a, *b;
    const struct shape_words *w;
    uint32_t *to;    /* [thread of a]: thread of b, + 1; 0 = not known */
    uint32_t *from;  /* [thread of b] */
    uint32_t *trail; /* threads of a in the order they were matched */
    uint32_t matched;
};

static int match(struct matching *m, uint32_t t, uint32_t u);

static int match_place(struct matching *m, const struct shape_place *p, const struct shape_place *q)
{
    const struct shape_words *w = m->w;
    if (w->rest[p->op] != w->rest[q->op] || !w->sender[p->op] != !w->sender[q->op])
        return 0;
    if (w->sender[p->op] && (w->message[p->op] != w->message[q->op] ||
                             !match(m, w->sender[p->op] - 1, w->sender[q->op] - 1)))
        return 0;
    for (int i = 0; i < SHAPE_NEIGHBOURS; i++) {
        if (!p->to[i] != !q->to[i])
            return 0;
        if (!p->to[i])
            continue;
        const struct shape_place *x = &m->a->places[p->to[i] - 1], *y = &m->b->places[q->to[i] - 1];
        if (x->position[0] != y->position[0] || !match(m, w->thread[x->op], w->thread[y->op]))
            return 0;
    }
    return 1;
}

/* Can thread t of a be thread u of b, and all that follows from it? */
static int match(struct matching *m, uint32_t t, uint32_t u)
{
    if (m->to[t] || m->from[u])
        return m->to[t] == u + 1;
    if (m->w->function[t] != m->w->function[u] || m->a->length[t] != m->b->length[u])
        return 0;
    m->to[t] = u + 1;
    m->from[u] = t + 1;
    m->trail[m->matched++] = t;
    for (uint32_t k = m->a->first[t], i = m->b->first[u]; k;
         k = m->a->places[k - 1].to[SHAPE_AFTER], i = m->b->places[i - 1].to[SHAPE_AFTER])
        if (!match_place(m, &m->a->places[k - 1], &m->b->places[i - 1]))
            return 0;
    return 1;
}

static int match_somehow(struct matching *m, uint32_t t)
{
    for (uint32_t u = 0; u <= m->w->threads; u++) {
        uint32_t before = m->matched;
        if (!m->from[u] && match(m, t, u))
            return 1;
        while (m->matched > before) {
            uint32_t taken_back = m->trail[--m->matched];
            m->from[m->to[taken_back] - 1] = 0;
            m->to[taken_back] = 0;
        }
    }
    return 0;
}

int shape_same(const struct shape *a, const struct shape *b, const struct shape_words *w)
{
    size_t n = w->threads + 1;
    uint32_t *room = mem_alloc(3 * n * sizeof *room);
    struct matching m = {a, b, w, room, room + n, room + 2 * n, 0};
    int same = a->count == b->count;
    for (uint32_t t = 0; t < n && same; t++)
        same = !a->length[t] || m.to[t] || match_somehow(&m, t);
    free(room);
    return same;
}
