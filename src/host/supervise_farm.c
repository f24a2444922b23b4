/* A search that is shared with other machines: see farmhand.h. */
#include "host/supervise.h"

#include "base/ensure.h"
#include "base/mem.h"

#include <stdlib.h>

void supervise_farm(struct search *s, const struct farm_url *url, const char *identity)
{
    ensure(s->config.farm);
    s->farm = mem_alloc(sizeof *s->farm);
    farmhand_init(s->farm, url, identity, &s->team, &s->config, (uint32_t)s->slot_count, s->quiet);
    farmhand_ask(s->farm, supervise_is_dead, s);
}

void supervise_leave_farm(struct search *s)
{
    if (s->farm)
        farmhand_free(s->farm);
    free(s->farm);
    s->farm = NULL;
}

/* A participant that cannot go on leaves its work to others. */
int supervise_serve_farm(struct search *s, bool *soon, struct error *e)
{
    ensure(s->farm != NULL);
    const struct farmhand *h = s->farm;
    bool joined = h->farm != NULL;
    if (s->cut)
        return 0;
    if (farmhand_serve(s->farm, soon, e)) {
        if (!joined)
            return -1;
        error_warn(e);
        s->cut = 1;
        return 1;
    }
    enum ledger_stop stop = h->farm ? farm_ledger(h->farm)->stop : LEDGER_GOES_ON;
    if (!stop || s->ended_elsewhere)
        return 0;
    s->ended_elsewhere = 1;
    s->limited |= stop == LEDGER_LIMIT;
    return 1;
}
