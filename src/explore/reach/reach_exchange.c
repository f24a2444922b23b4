/* Compare-exchanges. One that fails is a read of the version that it finds; one that succeeds is a
 * write, that is a completion on the variable. Which of the two it is in a variant follows from the
 * version, and from the recorded contents of versions, so it can be foreseen. A sequence has both
 * halves of it, with the same index in their thread, the one that was done last:
 *
 *   READ    has a race set of versions. Of those in which it would fail, all that a read could have
 *           had. Of those in which it would succeed, only later ones than the one it failed with: that
 *           is a row of its own if no other event on the variable comes behind that version in the
 *           variant. Otherwise the row is the one in which it takes that event's place; and where it
 *           did not fail it is a pending call there, which goes on by itself.
 *   OBJECT  is in the race sets of events in whose place it would succeed.
 *
 * If one half gets another partner the other one, and what happened after it, is not in the variant.
 * What a pending compare-exchange of the variant may do behind the plan: succeed, unless that is a row,
 * or receive a new version.
 *
 * If it turns out otherwise than foreseen (contents that are not recorded), the search begins anew with
 * compare-exchanges as writes, whether they fail or not. */
#include "explore/reach/reach_seq.h"

#include "base/ensure.h"

uint32_t reach_exchanged(const struct reach_seq *q, uint32_t k)
{
    uint32_t twin = reach_twin(q, k);
    ensure(twin < q->count);
    return q->ops[k].flags & REACH_DONE ? k : q->ops[twin].flags & REACH_DONE ? twin : REACH_NONE;
}

uint32_t reach_undone(const struct reach_seq *q, uint32_t s)
{
    uint32_t twin = s < q->count ? reach_twin(q, s) : REACH_NONE;
    return twin < q->count && q->ops[twin].flags & REACH_DONE ? twin : REACH_NONE;
}

static bool writes_to(const struct reach_op *w, const struct reach_op *cas)
{
    return w->address < cas->address + cas->size && cas->address < w->address + w->size;
}

static bool same(uint64_t a, uint64_t b, uint32_t size)
{
    ensure(size > 0 && size <= 8);
    return !((a ^ b) << (64 - 8 * size));
}

/* Did the write, which concerns the compare-exchange, have (after = false) or leave what that expects? */
static bool has(const struct reach_op *w, const struct reach_op *cas, bool after)
{
    return w->known && w->address == cas->address && w->size == cas->size &&
           same(after ? w->is : w->was, cas->was, cas->size);
}

static uint32_t last_version(const struct reach_seq *q, uint32_t object)
{
    for (uint32_t k = q->count; k-- > 0;)
        if (q->ops[k].class == REACH_OBJECT && q->ops[k].object == object && q->ops[k].flags & REACH_DONE)
            return k;
    return REACH_INITIAL;
}

/* The contents of a version that is later than the one it had are what was written last. */
static bool succeeds_later(const struct reach_seq *q, const struct reach_op *cas, uint32_t version,
                           uint32_t had, bool otherwise)
{
    ensure(cas->class == REACH_OBJECT);
    for (; version != had && version != REACH_INITIAL; version = reach_version_before(q, version))
        if (writes_to(&q->ops[version], cas))
            return has(&q->ops[version], cas, true);
    return otherwise;
}

/* Of an earlier one, what the next write found: there may have been others between, which are not events. */
static bool succeeds_earlier(const struct reach_seq *q, const struct reach_op *cas, uint32_t version,
                             uint32_t had, bool otherwise)
{
    ensure(cas->class == REACH_OBJECT);
    const struct reach_op *next = NULL;
    for (; had != version && had != REACH_INITIAL; had = reach_version_before(q, had))
        if (writes_to(&q->ops[had], cas))
            next = &q->ops[had];
    return next ? has(next, cas, false) : otherwise;
}

bool reach_succeeds(const struct reach_seq *q, uint32_t k, uint32_t version)
{
    uint32_t done = reach_exchanged(q, k), twin = reach_twin(q, k);
    ensure(version < q->count || version == REACH_INITIAL);
    const struct reach_op *cas = &q->ops[q->ops[k].class == REACH_OBJECT ? k : twin];
    if (done == REACH_NONE) {
        bool at_end = succeeds_later(q, cas, version, REACH_INITIAL, false);
        return succeeds_earlier(q, cas, version, last_version(q, cas->object), at_end);
    }
    const struct reach_op *was = &q->ops[done];
    bool wrote = was->class == REACH_OBJECT;
    uint32_t had = wrote ? reach_version_before(q, done) : was->partner;
    return reach_older(had, version) ? succeeds_later(q, cas, version, had, wrote)
                                     : succeeds_earlier(q, cas, version, had, wrote);
}
