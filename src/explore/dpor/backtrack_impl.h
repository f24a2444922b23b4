/* Shared by backtrack.c and backtrack_share.c alone: what the engines keep. */
#ifndef EXPLORE_BACKTRACK_IMPL_H
#define EXPLORE_BACKTRACK_IMPL_H

#include "explore/share/portion.h"

enum mode { MODE_DPOR, MODE_DPOR_CR, MODE_SOURCE };

struct backtrack {
    enum mode mode;
    bool sleeping;
    bool random; /* --set random=1: what is tried first, and next, is drawn by the seed (003, section V) */
    bool let_sleep; /* --set let_sleep=1: who sleeps where it should be tried is not tried (003, IV.D) */
    struct rng rng;
    struct happens hb;
    struct sleep sleep;
    struct reversal rev;
    struct estimate estimate;
    struct portion portion;
    struct wakeup offer; /* lists of what is given away */
    uint32_t offered;
    struct act elders[2 * EVENT_MAX_THREADS];
    struct tset *enabled, *todo, *done; /* [step] */
    uint32_t fresh, fresh_races; /* from there on entries and races are new */
    bool retrying; /* the execution under way is the last one again, from its last step on */
};

/* backtrack_share.c: engine_class.portion, save, adopt. */
struct portion_view backtrack_portion(struct engine *e);
int backtrack_save(struct engine *e, struct work *out);
int backtrack_adopt(struct engine *e, struct work *in);

#endif
