/* A wild write of the program reaches the worker's memory: every pointer is looked at before it is
 * followed, and every loop has an end. */
#include "host/unfolding.h"

#include "base/ensure.h"
#include "explore/unfold/unfold.h"
#include "report/unfolding.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EVENTS_MOST = 1 << 26, SLOTS_MOST = 1 << 20 };

struct net_reader {
    const struct region *region;
    const struct unfold *unfold;
    const struct net *net;
    struct names *names;
    struct report_list *out;
    uint32_t shown;    /* the first so many of those that were performed */
    uint32_t *numbers; /* [shown]: of them */
    uint16_t *index;   /* [number]: which of them, from 1 */
    const struct net_condition **taken; /* [taken_count], sorted: what they take, each as often as it is */
    size_t taken_count;
};

#define SEE(r, p) ((__typeof__(p))region_at((r)->region, (p), sizeof *(p)))

/* Where the link of a condition leads to, which is at c for the worker. */
static const void *follow(const struct net_condition *c, int32_t link)
{
    return link ? net_follow(c, link) : NULL;
}

/* Which of the events that are shown has put c, from 1; 0: nobody; -1: one that is not shown. */
static int maker_of(const struct net_reader *r, const struct net_condition *c)
{
    const struct net_event *maker = follow(c, SEE(r, c)->maker);
    if (!maker)
        return 0;
    maker = SEE(r, maker);
    int index = maker && maker->number <= r->net->events ? r->index[maker->number] : 0;
    ensure(index <= UNFOLDING_MOST);
    return index ? index : -1;
}

/* Is everything that the event takes and reads shown? */
static bool is_rooted(const struct net_reader *r, const struct net_event *e)
{
    if (!e->from || !SEE(r, e->from) || maker_of(r, e->from) < 0)
        return false;
    for (int i = 0; i < e->touches; i++)
        if (!e->touch[i].at || !SEE(r, e->touch[i].at) || maker_of(r, e->touch[i].at) < 0)
            return false;
    return true;
}

static void put_condition(const struct net_reader *r, char sign, const struct net_condition *c,
                          struct sbuf *out)
{
    int maker = maker_of(r, c);
    ensure(maker >= 0); /* is_rooted */
    sbuf_printf(out, "%s%c%u.%u", out->len ? " " : "", sign, maker ? r->numbers[maker - 1] : 0,
                SEE(r, c)->slot);
}

static const struct net_slot *slot_of(const struct net_reader *r, uint32_t slot)
{
    return slot && slot < r->net->slot_count ? SEE(r, &r->net->slots[slot]) : NULL;
}

static const char *thread_name(const struct net_reader *r, uint64_t thread)
{
    if (!thread || thread >= EVENT_MAX_THREADS)
        return "main";
    const char *function = names_function(r->names, r->unfold->start[thread] + 1);
    return names_keep(r->names, mem_printf("%llu %s", (unsigned long long)thread, function));
}

static const char *slot_name(const struct net_reader *r, const struct net_slot *s)
{
    return s->thread ? thread_name(r, s->object) : names_object(r->names, s->object, s->size, 0);
}

/* The value of the bytes that the slot stands for; false: it is not known. */
static bool value_of(const struct net_reader *r, const struct net_condition *c, uint64_t *value)
{
    const struct net_slot *s = slot_of(r, c->slot);
    if (!s || s->thread || !s->size || s->size > 8 || (s->object & 7) + s->size > 8)
        return false;
    unsigned bytes = ((1u << s->size) - 1) << (s->object & 7);
    *value = c->value >> 8 * (s->object & 7) & (s->size < 8 ? (1ull << 8 * s->size) - 1 : ~0ull);
    return (c->valued & bytes) == bytes;
}

static void put_arcs(const struct net_reader *r, const struct net_event *e, struct sbuf *out)
{
    bool done = e->state == NET_PERFORMED;
    put_condition(r, '-', e->from, out);
    for (int i = 0; i < e->touches; i++) {
        bool reads = e->past >> i & 1 ||
                     (done ? !net_put(e, i) : role_in(net_looking | net_marking, e->role[i]));
        put_condition(r, reads ? '~' : '-', e->touch[i].at, out);
    }
    struct net_event *const *reads = net_reads(r->net, e);
    reads = region_at(r->region, reads, e->read_count * sizeof *reads);
    for (uint32_t i = 0; reads && i < e->read_count && i < EVENT_MAX_THREADS; i++)
        if (SEE(r, reads[i]))
            sbuf_printf(out, " +%u", SEE(r, reads[i])->number);
    for (int i = 0; done && i < e->touches; i++) {
        const struct net_condition *put = net_put(e, i) ? SEE(r, net_put(e, i)) : NULL;
        uint64_t value;
        if (put && value_of(r, put, &value))
            sbuf_printf(out, " =%u:%s", put->slot,
                        names_value(r->names, value, slot_of(r, put->slot)->size, 0));
    }
}

/* What its thread stood before, as far as that is known. */
static const struct net_want *want_of(const struct net_reader *r, const struct net_event *e)
{
    const struct net_want *w = follow(e->from, SEE(r, e->from)->wants);
    for (int i = 0; w && (w = SEE(r, w)) && i < 4; i++, w = w->next)
        if (w->kind == e->kind)
            return w;
    return NULL;
}

static void put_words(const struct net_reader *r, const struct net_event *e, struct sbuf *out)
{
    const struct net_condition *c = e->touches ? SEE(r, e->touch[0].at) : NULL;
    const struct net_slot *s = c ? slot_of(r, c->slot) : NULL;
    uint64_t value;
    sbuf_puts(out, e->kind < EVENT_KINDS ? event_name(e->kind) : "?");
    if (s)
        sbuf_printf(out, " %s", slot_name(r, s));
    if (c && event_class(e->kind) == CLASS_READ && value_of(r, c, &value))
        sbuf_printf(out, " = %s", names_value(r->names, value, s->size, 0));
    if (e->branches)
        sbuf_printf(out, ", chooses %u", e->branch);
}

static void add_event(struct net_reader *r, const struct net_event *e)
{
    struct sbuf arcs = {0}, words = {0};
    const struct net_want *w = want_of(r, e);
    put_arcs(r, e, &arcs);
    put_words(r, e, &words);
    vec_push(r->out, mem_printf("event\t%u\t%u\t%s\t%s\t%s\t%s", e->number, e->thread,
                                e->state == NET_PERFORMED ? "done" : "open", sbuf_str(&arcs),
                                sbuf_str(&words), w && w->op.pc ? names_location(r->names, w->op.pc) : ""));
    sbuf_free(&arcs);
    sbuf_free(&words);
}

static const struct net_event *event_at(const struct net_reader *r, const uint32_t *at)
{
    at = SEE(r, at);
    const struct net_event *there = at ? net_at(r->net, *at) : NULL, *e = there ? SEE(r, there) : NULL;
    return e && e->thread < EVENT_MAX_THREADS ? e : NULL;
}

static const struct net_event *performed(const struct net_reader *r, uint32_t k)
{
    const struct net_event *e = event_at(r, &r->net->performed[k]);
    return e && e->state == NET_PERFORMED ? e : NULL;
}

static void add_slots(struct net_reader *r)
{
    for (uint32_t s = 1; s < r->net->slot_count && s <= UNFOLDING_MOST * NET_TOUCHES; s++) {
        const struct net_slot *slot = slot_of(r, s);
        if (slot)
            vec_push(r->out, mem_printf("slot\t%u\t%s\t%s", s, slot->thread ? "thread" : "object",
                                        slot_name(r, slot)));
    }
}

static int by_address(const void *a, const void *b)
{
    uintptr_t x = (uintptr_t) * (void *const *)a, y = (uintptr_t) * (void *const *)b;
    return x < y ? -1 : x > y;
}

static void sort_taken(struct net_reader *r)
{
    for (uint32_t k = 0; k < r->shown; k++) {
        const struct net_event *e = performed(r, k);
        r->taken[r->taken_count++] = e->from;
        for (int i = 0; i < e->touches; i++)
            if (net_put(e, i))
                r->taken[r->taken_count++] = e->touch[i].at;
    }
    qsort(r->taken, r->taken_count, sizeof *r->taken, by_address);
}

/* How many take c and are not shown. Of a large net most lies in memory that only the worker has touched. */
static void add_cut(struct net_reader *r, uint32_t number, const struct net_condition *c)
{
    const struct net_condition *seen = c ? SEE(r, c) : NULL;
    if (!seen)
        return;
    uint32_t cut = seen->put_count;
    const struct net_condition **known = bsearch(&c, r->taken, r->taken_count, sizeof c, by_address);
    while (known && known > r->taken && known[-1] == c)
        known--;
    for (; known && cut && known < r->taken + r->taken_count && *known == c; known++)
        cut--;
    if (cut)
        vec_push(r->out, mem_printf("cut\t%u.%u\t%u", number, seen->slot, cut));
}

/* Of the events that are not shown those that take something that is. */
static void add_cuts(struct net_reader *r)
{
    sort_taken(r);
    for (uint32_t s = 1; s < r->net->slot_count; s++) {
        const struct net_slot *slot = SEE(r, &r->net->slots[s]);
        if (slot)
            add_cut(r, 0, slot->root);
    }
    for (uint32_t k = 0; k < r->shown; k++) {
        const struct net_event *e = performed(r, k);
        add_cut(r, r->numbers[k], e->to);
        for (int i = 0; i < e->touches; i++)
            add_cut(r, r->numbers[k], net_put(e, i));
    }
}

/* Events that are known to be possible and were not performed: the search ended before. */
static void add_open(struct net_reader *r)
{
    for (uint32_t k = r->unfold->waiting_count, shown = 0; k && shown < UNFOLDING_PAGE; k--) {
        const uint32_t *number = SEE(r, &r->unfold->waiting[k - 1]);
        bool known = number && *number <= r->net->events;
        const struct net_event *e = known ? event_at(r, &r->net->all[*number]) : NULL;
        if (e && e->state == NET_POSSIBLE && is_rooted(r, e)) {
            add_event(r, e);
            shown++;
        }
    }
}

static void add_events(struct net_reader *r)
{
    r->numbers = mem_alloc((UNFOLDING_MOST + 1) * sizeof *r->numbers);
    r->index = mem_alloc((r->net->events + 1) * sizeof *r->index);
    r->taken = mem_alloc((UNFOLDING_MOST + 1) * (1 + NET_TOUCHES) * sizeof *r->taken);
    for (; r->shown < UNFOLDING_MOST && r->shown < r->net->performed_count; r->shown++) {
        const struct net_event *e = performed(r, r->shown);
        if (!e || e->number > r->net->events || !is_rooted(r, e))
            break;
        r->numbers[r->shown] = e->number;
        r->index[e->number] = (uint16_t)(r->shown + 1);
    }
    for (uint32_t k = 0; k < r->shown; k++)
        add_event(r, performed(r, k));
}

void unfolding_take(const struct region *region, const struct run_config *config, struct names *n,
                    struct report *report)
{
    const struct unfold *u = region->shared->engine_state;
    if ((strcmp(config->engine, "context") && strcmp(config->engine, "unfold")) || !u)
        return;
    struct net_reader r = {.region = region, .names = n, .out = &report->unfolding};
    r.unfold = SEE(&r, u);
    r.net = r.unfold ? &r.unfold->net : NULL;
    if (!r.net || !r.net->performed_count || r.net->performed_count > r.net->events ||
        r.net->events > EVENTS_MOST || r.net->slot_count > SLOTS_MOST)
        return;
    report->unfolding_events = r.net->performed_count;
    add_slots(&r);
    add_events(&r);
    if (r.shown < r.net->performed_count)
        add_cuts(&r);
    add_open(&r);
    free(r.numbers);
    free(r.index);
    free(r.taken);
}
