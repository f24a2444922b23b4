#include "explore/share/tell.h"

#include "base/ensure.h"
#include "explore/share/grove_impl.h"

static struct work *mail_of(const struct engine *e)
{
    return &e->box->mail;
}

/* The table of acts is read under the lock: the host adds to it. */
static void begin(struct engine *e, enum tell_kind kind, uint32_t leaf)
{
    struct work *w = mail_of(e);
    if (!w->length) {
        e->box->outbox.whole = 0;
        atomic_signal_fence(memory_order_seq_cst);
        work_begin(w, WORK_TOLD);
        e->box->outbox.whole = w->length;
    }
    e->box->outbox.record++;
    e->box->outbox.fresh_count = 0;
    grove_lock(e->grove, e->member);
    work_put(w, kind);
    work_put(w, leaf);
}

/* What does not fit is left out, and the search is not complete. */
static bool end(struct engine *e, bool keep)
{
    struct work *w = mail_of(e);
    bool told = keep && !w->failed;
    grove_unlock(e->grove);
    if (w->failed)
        limit_reached(e->limits, LIMIT_SHARING, w->room >> 10);
    atomic_signal_fence(memory_order_seq_cst);
    if (told)
        e->box->outbox.whole = w->length;
    atomic_signal_fence(memory_order_seq_cst);
    w->length = e->box->outbox.whole;
    w->failed = false;
    return told;
}

/* Others do not have it in their tables. Where two have the same slot the first is written again. */
static void put_fresh(const struct engine *e, const struct act *a)
{
    struct outbox *o = &e->box->outbox;
    struct outbox_fresh *f = &o->fresh[acts_hash(a) % OUTBOX_FRESH];
    if (f->record == o->record && acts_same(&f->act, a)) {
        work_put(mail_of(e), f->number);
        return;
    }
    *f = (struct outbox_fresh){*a, ++o->fresh_count, o->record};
    work_put(mail_of(e), 0);
    work_put_act(mail_of(e), a);
}

static void put_act(const struct engine *e, const struct act *a)
{
    uint32_t n = acts_find(acts_of(e->grove), a);
    work_put(mail_of(e), n + 1); /* none: 0 */
    if (n == ACTS_NONE)
        put_fresh(e, a);
}

/* with: a number that goes with it. */
static void put_step(const struct engine *e, const struct act *a, uint32_t pick, uint32_t branch,
                     uint64_t with)
{
    bool own = pick == a->thread && !branch;
    put_act(e, a);
    work_put(mail_of(e), with << 1 | !own);
    if (own)
        return;
    work_put(mail_of(e), pick);
    work_put(mail_of(e), branch);
}

static void put_sleepers(const struct engine *e, const struct act *acts, uint32_t count,
                         const struct act *own)
{
    work_put(mail_of(e), count + (own != NULL));
    for (uint32_t i = 0; i < count; i++)
        put_act(e, &acts[i]);
    if (own)
        put_act(e, own);
}

/* Item i, with, of each other thread, the number of items before it that it cannot do without: the last of
 * them needs those before it. What the item of its thread before it needs, it needs too. place[k]: the
 * how-manieth of its thread item k is. */
static void put_item(const struct engine *e, const struct happens *h, const struct reversal *r, uint32_t i,
                     const uint16_t *place)
{
    const struct rev_item *it = &r->items[i];
    ensure(place[i] > 0);
    uint16_t needed[EVENT_MAX_THREADS] = {0}, threads[EVENT_MAX_THREADS];
    uint16_t *row = e->box->outbox.rows[it->act.thread];
    uint32_t count = 0;
    for (uint32_t t = 0; t < EVENT_MAX_THREADS && place[i] == 1; t++)
        row[t] = 0;
    for (uint32_t k = 0; k < i; k++) {
        uint16_t t = r->items[k].act.thread;
        if (t == it->act.thread || place[k] <= row[t] || !rev_precedes(r, h, k, i))
            continue;
        if (!needed[t])
            threads[count++] = t;
        needed[t] = place[k];
    }
    for (uint32_t k = 0; k < count; k++)
        row[threads[k]] = needed[threads[k]];
    put_step(e, &it->act, it->pick, it->branch, (uint64_t)count << 1 | grove_certain(it));
    for (uint32_t k = 0; k < count; k++) {
        work_put(mail_of(e), threads[k]);
        work_put(mail_of(e), needed[threads[k]]);
    }
}

static void put_sequence(const struct engine *e, const struct happens *h, const struct reversal *r)
{
    uint16_t seen[EVENT_MAX_THREADS] = {0}, *place = e->box->outbox.place;
    work_put(mail_of(e), r->count);
    for (uint32_t i = 0; i < r->count; i++) {
        place[i] = ++seen[r->items[i].act.thread];
        put_item(e, h, r, i, place);
    }
}

/* The same sequence for the same state is told once: until it comes back it would be found again and again.
 * Was it, since the worker got its leaves? It is the bytes from `from` on, for the state at `step`. */
static bool told_before(const struct engine *e, const struct grove_path *p, uint32_t step, uint64_t from)
{
    const struct work *w = mail_of(e);
    struct outbox *o = &e->box->outbox;
    uint64_t above = step ? p->nodes[step - 1] : 0, hash = above << 40 ^ p->nodes[step];
    hash = (hash ^ step) * 0x9e3779b97f4a7c15u;
    for (uint64_t i = from; i < w->length; i++)
        hash = (hash ^ w->bytes[i]) * 0x100000001b3u;
    for (int i = 0; i < OUTBOX_RECENT && o->recent_batch != o->batch; i++)
        o->recent[i] = 0;
    o->recent_batch = o->batch;
    uint64_t *slot = &o->recent[(hash >> 40) % OUTBOX_RECENT];
    bool before = *slot == hash;
    *slot = hash;
    return before;
}

/* Of a sequence that is not covered: a hash of what would be appended, and where. */
static uint64_t aim_of(const struct engine *e, const struct grove_path *p, const struct happens *h,
                       struct reversal *r, uint32_t step, const struct wakeup_sleepers *s)
{
    struct grove *g = e->grove;
    struct wakeup trees = {.nodes = nodes_of(g), .acts = acts_of(g), .first_value = true,
                            .whole = WAKEUP_WHOLE_SHARED};
    uint32_t own = p->nodes[step], *root = &node_at(g, own)->next, branch, settled, under;
    uint64_t aim = 0;
    if (!own)
        return 0;
    grove_lock(g, e->member);
    if (wakeup_place(&trees, h, r, root, s, &branch, &settled, &under)) {
        wakeup_shorten(&trees, h, r, *root, s);
        aim = under ? under : more_at(g, own)->parent;
        for (uint32_t i = 0; i < r->count; i++)
            if (!r->items[i].gone)
                aim = (aim ^ acts_hash(&r->items[i].act) ^ (uint64_t)r->items[i].pick << 32) * 0x100000001b3u;
    }
    grove_unlock(g);
    return aim;
}

/* Is a sequence on its way that will stand where this one would? Then much of what is found until it is
 * there is covered by it: the worker should hear of it before it goes on. */
static void note_aim(struct outbox *o, uint64_t aim)
{
    struct outbox_aim *a = &o->aims[aim % OUTBOX_AIMS];
    if (a->aim == aim && a->number > atomic_load(&o->known))
        o->should_hear = true;
    else
        *a = (struct outbox_aim){aim, o->number + 1};
}

bool tell_insert(struct engine *e, const struct grove_path *p, const struct happens *h, struct reversal *r,
                 uint32_t step, const struct wakeup_sleepers *s, uint32_t *settled)
{
    ensure(step < p->count);
    if (grove_covers(e->grove, p, h, r, step, settled))
        return false;
    *settled = HB_NONE;
    uint64_t aim = aim_of(e, p, h, r, step, s);
    rev_restore(r, h);
    begin(e, TELL_INSERT, p->told);
    work_put(mail_of(e), step);
    uint64_t from = mail_of(e)->length;
    put_sleepers(e, s->acts, s->count, s->own);
    work_put(mail_of(e), r->second == HB_NONE);
    work_put(mail_of(e), r->arrivals);
    put_sequence(e, h, r);
    if (end(e, !told_before(e, p, step, from)))
        note_aim(&e->box->outbox, aim);
    return true;
}

void tell_thread(struct engine *e, const struct grove_path *p, uint32_t step, const struct grove_thread *t)
{
    ensure(step < p->count);
    begin(e, TELL_THREAD, p->told);
    work_put(mail_of(e), step);
    uint64_t from = mail_of(e)->length;
    work_put_set(mail_of(e), &t->any);
    put_act(e, &t->act);
    work_put(mail_of(e), t->certain);
    end(e, !told_before(e, p, step, from));
}

/* Did the steps perform exactly what they were expected to? */
static bool as_expected(const struct grove *g, const struct grove_path *p, const struct happens *h,
                        uint32_t from, uint32_t last)
{
    for (uint32_t step = from; step < last; step++) {
        struct act a = grove_performed(g, p, h, step);
        if (!p->nodes[step] || !acts_same(&a, expected_at(g, p->nodes[step])))
            return false;
    }
    return true;
}

static bool see_only(struct engine *e, struct grove_path *p, const struct happens *h, uint32_t last)
{
    bool right = true;
    ensure(p->leaf == p->told);
    grove_lock(e->grove, e->member);
    for (uint32_t step = p->executed; step < last; step++) {
        struct act a = grove_performed(e->grove, p, h, step);
        right &= grove_see(e->grove, p->nodes[step], &a, true);
    }
    grove_unlock(e->grove);
    p->executed = last;
    p->unsaid = true;
    return right;
}

void tell_unsaid(struct engine *e, struct grove_path *p)
{
    if (!p->unsaid)
        return;
    ensure(p->leaf && p->told);
    p->unsaid = false;
    begin(e, TELL_CONFIRM, p->told);
    work_put(mail_of(e), 0);
    work_put(mail_of(e), 0);
    end(e, true);
}

bool tell_confirm(struct engine *e, struct grove_path *p, const struct happens *h, uint32_t last)
{
    ensure(last <= p->count);
    uint32_t from = p->executed;
    bool right = true, news = false;
    for (uint32_t step = from; step < last; step++)
        news |= !p->nodes[step] || !is_confirmed(more_at(e->grove, p->nodes[step]));
    if (news && p->leaf == p->told && last == p->count && as_expected(e->grove, p, h, from, last))
        return see_only(e, p, h, last);
    if (news) {
        begin(e, TELL_CONFIRM, p->told);
        work_put(mail_of(e), from);
        work_put(mail_of(e), last - from);
    }
    for (uint32_t step = from; step < last; step++) {
        struct act a = grove_performed(e->grove, p, h, step);
        right &= grove_see(e->grove, p->nodes[step], &a, news);
        if (news)
            put_act(e, &a);
    }
    if (news)
        end(e, true);
    p->executed = last;
    return right;
}

void tell_back(struct engine *e)
{
    struct exchange *x = e->box;
    uint32_t next = x->checkpoints[atomic_load(&x->ticket) >> 1].next;
    while (x->outbox.count > next) {
        x->outbox.count--; /* dying here we still have it, and give it back when we are dry */
        atomic_signal_fence(memory_order_seq_cst);
        begin(e, TELL_BACK, x->outbox.queue[x->outbox.count]);
        end(e, true);
    }
}

void tell_choice(struct engine *e, uint32_t leaf, uint32_t step, int values)
{
    tell_passed(e);
    tell_back(e);
    begin(e, TELL_CHOICE, leaf);
    work_put(mail_of(e), step);
    work_put(mail_of(e), (uint64_t)values);
    end(e, true);
}

void tell_passed(struct engine *e)
{
    struct outbox *o = &e->box->outbox;
    const struct outbox_passed p = o->passing[o->passing_now];
    if (!p.count)
        return;
    ensure(p.first + p.count <= OUTBOX_LEAVES);
    begin(e, TELL_PASSED, o->queue[p.first]);
    work_put(mail_of(e), p.count);
    work_put(mail_of(e), p.runs);
    o->passing_at = mail_of(e)->length; /* from `end` on it is told, also if we die in it */
    end(e, true);
    tell_forget_passed(o);
}

/* Is it the next of the leaves given to us, after those that were passed? Then it is one more, which becomes
 * valid with one store. */
static bool pass(struct engine *e, const struct grove_path *p, uint64_t runs)
{
    struct exchange *x = e->box;
    struct outbox *o = &x->outbox;
    struct outbox_passed now = o->passing[o->passing_now];
    uint32_t next = x->checkpoints[atomic_load(&x->ticket) >> 1].next;
    if (p->leaf != p->told || !next || next > o->count || o->queue[next - 1] != p->told ||
        (now.count && now.first + now.count != next - 1))
        return false;
    if (!now.count)
        now = (struct outbox_passed){.first = next - 1};
    now.count++;
    now.runs += runs;
    o->passing[!o->passing_now] = now;
    atomic_signal_fence(memory_order_seq_cst);
    o->passing_now = !o->passing_now;
    return true;
}

void tell_done(struct engine *e, struct grove_path *p, uint64_t runs)
{
    if (pass(e, p, runs))
        return;
    tell_passed(e);
    tell_unsaid(e, p);
    if (p->leaf != p->told)
        tell_back(e);
    begin(e, TELL_DONE, p->told);
    work_put(mail_of(e), p->count);
    work_put(mail_of(e), runs);
    e->box->outbox.closing = mail_of(e)->length; /* from `end` on it is told, also if we die before more is */
    end(e, true);
}

void tell_cut(struct engine *e, uint32_t leaf, uint32_t steps)
{
    tell_passed(e); /* what is done there is nobody's */
    tell_back(e);
    begin(e, TELL_CUT, leaf);
    work_put(mail_of(e), steps);
    end(e, true);
}

static void put_list(const struct engine *e, const struct wakeup *trees, uint32_t list)
{
    for (uint32_t k = list; k; k = trees->nodes[k].next) {
        struct wakeup_step s = wakeup_step(trees, k);
        const struct wakeup_node *n = &trees->nodes[k];
        put_step(e, &s.act, s.pick, s.branch, (n->child != 0) << 1 | (n->next != 0));
        put_list(e, trees, n->child);
    }
}

bool tell_split(struct engine *e, const struct grove_split *s)
{
    ensure(s->path->count <= s->last);
    tell_passed(e);
    tell_unsaid(e, s->path);
    begin(e, TELL_SPLIT, s->path->told);
    work_put(mail_of(e), s->last);
    work_put(mail_of(e), s->last + 1 - s->path->count);
    for (uint32_t step = s->path->count; step <= s->last; step++) {
        uint32_t count;
        bool performed;
        const struct act *acts = s->asleep(s->ctx, step, &count);
        put_sleepers(e, acts, count, NULL);
        struct wakeup_step own = s->taken(s->ctx, step, &performed);
        put_step(e, &own.act, own.pick, own.branch, performed);
    }
    put_list(e, s->trees, s->waiting);
    bool fits = !mail_of(e)->failed;
    mail_of(e)->failed = false; /* it is not split, then */
    end(e, fits);
    return fits;
}
