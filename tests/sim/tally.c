#include "tally.h"

struct sim_tally sim_tally_save(const struct sim_worker *w, const sim_traces *found)
{
    return (struct sim_tally){.complete = w->complete,
                              .blocked = w->blocked,
                              .assumed = w->assumed,
                              .bounded = w->bounded,
                              .deadlocks = w->deadlocks,
                              .traces = found->count};
}

void sim_tally_restore(const struct sim_tally *s, struct sim_worker *w, sim_traces *found)
{
    w->complete = s->complete;
    w->blocked = s->blocked;
    w->assumed = s->assumed;
    w->bounded = s->bounded;
    w->deadlocks = s->deadlocks;
    found->count = s->traces;
}

int sim_tally_once(const struct sim_team *t, struct sim_worker *w, sim_traces *found)
{
    long before = w->complete;
    int more = sim_worker_once(w);
    if (t->collect && w->complete > before)
        vec_push(found, sim_canonical(w->trace.events, (int)w->trace.event_count));
    return more;
}

void sim_tally_close(struct sim_team *t, struct sim_worker *w, sim_traces *found)
{
    t->complete += w->complete;
    t->blocked += w->blocked;
    t->assumed += w->assumed;
    t->bounded += w->bounded;
    t->deadlocks += w->deadlocks;
    for (size_t k = 0; k < found->count; k++)
        t->duplicates += !sim_set_add(&t->seen, found->items[k]);
    sim_worker_close(w);
    vec_free(found);
}
