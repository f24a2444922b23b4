/* Two lists of a condition c become long: who stands before it, and what has replaced it. Who goes through
 * one of them looks for a few that agree about a thread: those who stand below what an event knows of
 * that thread, and what was put by events that know of the thread no more than where it stands. So where
 * they are long, from the first time on that somebody looks, they are also kept by conditions of threads:
 *
 *   a stand   by each condition of its thread from where it stands up to what c knows of it
 *   a put     by what it knows of each thread */
#include "explore/unfold/net.h"

#include "base/ensure.h"

int net_kin_init(struct net *n)
{
    enum { ROOM = 1 << 10 };
    return htable_init(&n->stands_by, n->arena, ROOM) || htable_init(&n->puts_by, n->arena, ROOM) ? -1 : 0;
}

static uint64_t key_of(const struct net *n, const struct net_condition *c, const struct net_condition *thread)
{
    return (uint64_t)net_place_of(n, c) << 32 | net_place_of(n, thread);
}

static void add(struct net *n, struct htable *table, uint64_t key, const void *item)
{
    struct htable_entry *e = htable_find(table, key);
    struct net_kin *k = net_alloc(n, sizeof *k);
    if (!k)
        return;
    *k = (struct net_kin){.item = net_place_of(n, item), .next = htable_has(table, e) ? e->value : 0};
    if (htable_has(table, e))
        e->value = net_place_of(n, k);
    else if (!htable_put(table, e, key, net_place_of(n, k)))
        n->full = true;
}

static void add_stand(struct net *n, const struct net_condition *c, const struct net_stand *s)
{
    const struct net_condition *top = net_tip(n, c, s->thread->slot), *y = s->thread;
    ensure(y->slot == top->slot && y->depth >= top->depth);
    add(n, &n->stands_by, key_of(n, c, y), s);
    while (y != top) {
        y = net_up(y);
        add(n, &n->stands_by, key_of(n, c, y), s);
    }
}

void net_stand(struct net *n, struct net_condition *c, struct net_condition *thread,
               const struct net_want *want)
{
    struct net_stand *s = net_alloc(n, sizeof *s);
    if (!s)
        return;
    *s = (struct net_stand){.next = net_link(s, net_stands(c)), .number = n->slots[thread->slot].object,
                            .depth = thread->depth, .thread = thread, .want = want};
    c->stands = net_link(c, s);
    c->stand_count += c->stand_count < NET_MANY;
    if (c->stands_sorted)
        add_stand(n, c, s);
}

static void add_put(struct net *n, const struct net_condition *put)
{
    for (int t = 0; t < n->threads; t++)
        if (n->thread_slot[t])
            add(n, &n->puts_by, key_of(n, net_up(put), net_tip(n, put, n->thread_slot[t])), put);
}

void net_kin_put(struct net *n, struct net_condition *put)
{
    struct net_condition *c = net_up(put);
    ensure(c && net_maker(put)->tips); /* what it knows */
    c->put_count++;
    if (c->puts_sorted)
        add_put(n, put);
}

static const struct net_kin *first(const struct net *n, const struct htable *table,
                                   const struct net_condition *c, const struct net_condition *thread)
{
    const struct htable_entry *e = htable_find(table, key_of(n, c, thread));
    return htable_has(table, e) ? net_at(n, e->value) : NULL;
}

const struct net_kin *net_stands_by(struct net *n, struct net_condition *c,
                                    const struct net_condition *thread)
{
    if (!c->stands_sorted)
        for (const struct net_stand *s = net_stands(c); s; s = net_next_stand(s))
            add_stand(n, c, s);
    c->stands_sorted = 1;
    return first(n, &n->stands_by, c, thread);
}

const struct net_kin *net_puts_by(struct net *n, struct net_condition *c,
                                  const struct net_condition *thread)
{
    if (!c->puts_sorted)
        for (const struct net_condition *put = net_down(c); put; put = net_beside(put))
            add_put(n, put);
    c->puts_sorted = 1;
    return first(n, &n->puts_by, c, thread);
}
