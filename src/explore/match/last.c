/* What an operation was seen to do last, at the same places: it does the same again. */
#include "explore/match/model.h"

#include "base/ensure.h"

#include <string.h>

bool match_is_last(const struct match_marking *k, const struct match_local *l, unsigned branch)
{
    if (!l->last.to || l->last.branch != branch)
        return false;
    for (int i = 0; i < l->touches; i++)
        if (k->place[l->slots[i]] != l->last.at[i])
            return false;
    return true;
}

void match_take_last(const struct match_last *last, struct match_effect *out)
{
    match_clear(out);
    out->to = last->to;
    out->puts = last->puts;
    for (int i = 0; i < last->puts; i++)
        out->put[i] = last->put[i];
}

/* An execution shows what it did before. */
bool match_is_again(const struct match_marking *k, const struct match_local *l, const struct event *ev,
                     unsigned branch, unsigned branches)
{
    const struct match_last *last = &l->last;
    return match_is_last(k, l, branch) && last->branches == branches && last->kind == ev->kind &&
           last->flags == ev->flags && last->value == ev->value && last->other == ev->other;
}

void match_keep_last(struct match_local *l, struct match_place *const *at, const struct event *ev,
                      unsigned branch, unsigned branches, const struct match_effect *e)
{
    struct match_last *last = &l->last;
    ensure(l->touches <= MATCH_LAST && e->puts <= MATCH_LAST);
    *last = (struct match_last){.to = e->to, .value = ev->value, .other = ev->other, .kind = ev->kind,
                                .flags = ev->flags, .puts = (uint8_t)e->puts,
                                .branch = (uint16_t)branch, .branches = (uint16_t)branches};
    memcpy(last->at, at, l->touches * sizeof *at);
    memcpy(last->put, e->put, (size_t)e->puts * sizeof *e->put);
}
