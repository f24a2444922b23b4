/* Inserting a sequence into the frames, as into a wakeup tree (explore/dpor/wakeup.c; JACM 2017, section
 * 6), whose nodes are the branches: the first later branch that is a weak initial of what is left is
 * entered, a leaf covers, and where none fits what is left becomes a new last branch with a chain of
 * frames below it. Happens-before comes with the sequence: per item how many items of each thread it
 * cannot do without. */
#include "farm/share_impl.h"

#include "base/ensure.h"

#include <stdlib.h>
#include <string.h>

struct item {
    struct act act;
    uint16_t pick, branch;
    bool gone;
    uint32_t before, before_count; /* in sequence.before */
};

struct need {
    uint16_t thread;
    uint64_t items;
};

/* A sequence to be explored; see struct reversal, whose functions these are with what is needed of
 * happens-before written down. */
struct insert_sequence {
    VEC(struct item) items;
    VEC(struct need) before;
    uint64_t gone[EVENT_MAX_THREADS]; /* items taken, per thread */
    size_t left;
};
#define NO_BRANCH SIZE_MAX

static bool initial(const struct insert_sequence *v, const struct item *it)
{
    for (uint32_t i = 0; i < it->before_count; i++) {
        const struct need *n = &v->before.items[it->before + i];
        if (v->gone[n->thread] < n->items)
            return false;
    }
    return true;
}

static bool weak_initial(const struct insert_sequence *v, const struct act *a, size_t *index)
{
    *index = NO_BRANCH;
    for (size_t i = 0; i < v->items.count; i++) {
        const struct item *it = &v->items.items[i];
        if (it->gone)
            continue;
        if (it->act.thread == a->thread && !it->branch) {
            *index = i;
            return initial(v, it);
        }
        if (it->act.thread != a->thread && act_wakes(a, &it->act))
            return false;
    }
    return true;
}

static void take_out(struct insert_sequence *v, size_t i)
{
    ensure(i < v->items.count);
    v->items.items[i].gone = true;
    v->gone[v->items.items[i].act.thread]++;
    v->left--;
}

static size_t next_branch(const struct insert_sequence *v, size_t i)
{
    return i + 1 < v->items.count && v->items.items[i + 1].branch && !v->items.items[i + 1].gone
               ? i + 1
               : NO_BRANCH;
}

/* As in wakeup.c: the first branch from `from` on that fits, or NULL. */
static struct share_branch *fitting(struct share_frame *f, size_t from, struct insert_sequence *v,
                                    size_t *choice)
{
    for (size_t i = from; i < f->branches.count; i++) {
        struct share_branch *b = &f->branches.items[i];
        size_t index;
        if (*choice != NO_BRANCH && b->values) {
            if (b->pick != v->items.items[*choice].pick)
                continue;
            take_out(v, *choice);
            *choice = next_branch(v, *choice);
            return b;
        }
        if (b->values)
            return b;
        if (!weak_initial(v, &b->act, &index))
            continue;
        if (index != NO_BRANCH) {
            take_out(v, index);
            *choice = next_branch(v, index);
        }
        return b;
    }
    return NULL;
}

/* What is left becomes a new last branch of f and a chain of frames below it. */
static void explore(struct share *s, struct share_frame *f, struct insert_sequence *v, size_t choice)
{
    bool first = true;
    for (size_t i = 0; v->left > 0; i++) {
        size_t k = choice != NO_BRANCH ? choice : i;
        const struct item *it = &v->items.items[k];
        if (choice != NO_BRANCH) {
            choice = next_branch(v, choice);
            i--;
        } else if (it->gone) {
            continue;
        }
        if (!first)
            f = share_inner_frame(s, f, (uint32_t)f->branches.count - 1);
        share_add_branch(s, f, it->act, it->pick, it->branch)->confirmed = it->branch != 0;
        take_out(v, k);
        first = false;
    }
}

/* Covered by something that is asleep where branch `own` is explored. */
static bool asleep(const struct share_frame *f, uint32_t own, const struct insert_sequence *v)
{
    size_t index;
    for (size_t i = 0; i < f->asleep.count; i++)
        if (weak_initial(v, &f->asleep.items[i], &index))
            return true;
    for (uint32_t i = 0; i < own; i++)
        if (weak_initial(v, &f->branches.items[i].act, &index))
            return true;
    return false;
}

static void insert(struct share *s, struct share_frame *f, uint32_t own, struct insert_sequence *v)
{
    size_t choice = v->items.items[0].branch ? 0 : NO_BRANCH, from = own + 1;
    if (asleep(f, choice == NO_BRANCH ? own : 0, v))
        return;
    for (struct share_branch *b; (b = fitting(f, from, v, &choice)); from = 0) {
        if (b->leaf || !v->left)
            return;
        f = b->child;
    }
    s->full |= share_crowded(s);
    if (s->full)
        return;
    explore(s, f, v, choice);
    s->additions++;
}

static bool among(const struct insert_sequence *v, uint16_t thread)
{
    for (size_t i = 0; i < v->items.count; i++)
        if (v->items.items[i].act.thread == thread && !v->items.items[i].branch)
            return initial(v, &v->items.items[i]);
    return false;
}

static bool some_among(const struct insert_sequence *v, const share_acts *acts)
{
    for (size_t i = 0; i < acts->count; i++)
        if (among(v, acts->items[i].thread))
            return true;
    return false;
}

/* A source set wants one of the initials: the last that is enabled, as the engine would take. */
static void insert_thread(struct share *s, struct share_frame *f, struct insert_sequence *v)
{
    bool there = some_among(v, &f->asleep) || some_among(v, &f->done);
    for (size_t i = 0; i < f->branches.count; i++)
        there |= among(v, f->branches.items[i].act.thread);
    int pick = -1;
    for (size_t i = 0; i < v->items.count; i++) {
        const struct item *it = &v->items.items[i];
        if (!it->branch && among(v, it->act.thread) && tset_has(&f->enabled, it->act.thread))
            pick = it->act.thread;
    }
    if (there || pick < 0)
        return;
    share_add_branch(s, f, (struct act){.thread = (uint16_t)pick, .role = ROLE_NONE}, (uint16_t)pick, 0);
    s->additions++;
}

static void get_sequence(struct work *in, struct insert_sequence *v)
{
    v->items.count = v->before.count = 0;
    memset(v->gone, 0, sizeof v->gone);
    for (uint64_t n = work_get(in); n > 0 && !in->failed; n--) {
        struct item it = {.act = work_get_act(in), .before = (uint32_t)v->before.count};
        it.pick = (uint16_t)work_get(in);
        it.branch = (uint16_t)work_get(in);
        for (uint64_t k = work_get(in); k > 0 && !in->failed; k--) {
            struct need need = {.thread = work_get(in) % EVENT_MAX_THREADS};
            need.items = work_get(in);
            vec_push(&v->before, need);
        }
        it.before_count = (uint32_t)v->before.count - it.before;
        vec_push(&v->items, it);
    }
    v->left = v->items.count;
}

int share_insert(struct share *s, struct share_frame *f, uint32_t own, bool by_thread,
                 struct work *in)
{
    struct insert_sequence v = {0};
    get_sequence(in, &v);
    int bad = in->failed || !f || !v.items.count;
    if (!bad && by_thread)
        insert_thread(s, f, &v);
    else if (!bad)
        insert(s, f, own, &v);
    vec_free(&v.items);
    vec_free(&v.before);
    return bad ? -1 : 0;
}
