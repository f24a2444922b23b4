/* The portion of a search that this worker owns when several share it (-j N, trace/work.h): what lies
 * below the first `base` steps. For those steps the engine's sets and trees are copies of what the
 * coordinator has: nothing is taken from them, and what they do not cover goes into an outbox.
 *
 * Why the result does not depend on who explores what when: of two branches of a state the later one
 * has what the earlier one performs in its sleep set, so no trace is found twice. A sequence that
 * reverses a race is covered at a state by an elder branch (asleep there), or by a path of later
 * branches that ends in a leaf, because below a leaf nothing sleeps and the search is complete by
 * itself; otherwise it is inserted, also into a subtree whose first branches are explored already
 * (JACM 2017, Algorithm 2 has only the last of these cases to fear, since it explores in order).
 *
 * One gap: a sequence made from a choice says nothing of a second choice that its thread makes right
 * after it; frames cut such a sequence short and can lose traces. optimal therefore shares its trees in
 * memory (explore/share/grove.h), where the second choice is put in; it comes here with --set mail=1 only. */
#ifndef EXPLORE_PORTION_H
#define EXPLORE_PORTION_H

#include "explore/estimate.h"
#include "explore/dpor/reversal.h"
#include "explore/dpor/sleep.h"
#include "trace/work.h"

struct portion {
    uint64_t frame, spare;
    uint32_t branch, base;
    bool confirm;     /* the coordinator does not know yet what happens in the steps … */
    uint32_t confirm_from; /* … from here to base */
    struct work out;  /* sequences for frames */
    uint64_t waiting; /* how many */
    struct limits *limits;
};

/* What an engine lends for it. Of what is not needed NULL. */
struct portion_view {
    struct portion *portion;
    struct happens *hb;
    struct sleep *sleep;
    struct estimate *estimate;
    struct tset *enabled;
    bool (*waits)(const struct engine *e, uint32_t step); /* alternatives left? */
    void (*put_list)(const struct engine *e, uint32_t step, struct work *w);
    void (*get_list)(struct engine *e, uint32_t step, struct work *w);
    void (*put_done)(const struct engine *e, uint32_t step, struct work *w);
    void (*get_done)(struct engine *e, uint32_t step, struct work *w);
    void (*put_next)(const struct engine *e, struct work *w);
    void (*get_next)(struct engine *e, struct work *w);
};

int portion_init(struct portion *p, struct engine *e);

/* The sequence in r must be explored from step < base. by_thread: one of its initials, whatever comes
 * after it. */
void portion_add(struct portion *p, const struct happens *h, const struct reversal *r,
                 uint32_t step, bool by_thread);
/* The same for one thread. */
void portion_add_thread(struct portion *p, uint32_t step, int thread);

/* engine_class.split, adopt, save, report, learn. */
int portion_split(struct engine *e, const struct portion_view *v, struct work *out);
int portion_adopt(struct engine *e, const struct portion_view *v, struct work *in);
int portion_save(struct engine *e, const struct portion_view *v, struct work *out);
int portion_report(struct engine *e, const struct portion_view *v, int done, struct work *out);
int portion_learn(struct engine *e, const struct portion_view *v, struct work *in);

#define PORTION_ENGINE(name)                                                                       \
    static int name##_split(struct engine *e, struct work *out)                                    \
    {                                                                                              \
        struct portion_view v = view(e->state);                                                    \
        return portion_split(e, &v, out);                                                          \
    }                                                                                              \
    static int name##_adopt(struct engine *e, struct work *in)                                     \
    {                                                                                              \
        struct portion_view v = view(e->state);                                                    \
        return portion_adopt(e, &v, in);                                                           \
    }                                                                                              \
    static int name##_save(struct engine *e, struct work *out)                                     \
    {                                                                                              \
        struct portion_view v = view(e->state);                                                    \
        return portion_save(e, &v, out);                                                           \
    }                                                                                              \
    static int name##_report(struct engine *e, int done, struct work *out)                         \
    {                                                                                              \
        struct portion_view v = view(e->state);                                                    \
        return portion_report(e, &v, done, out);                                                   \
    }                                                                                              \
    static int name##_learn(struct engine *e, struct work *in)                                     \
    {                                                                                              \
        struct portion_view v = view(e->state);                                                    \
        return portion_learn(e, &v, in);                                                           \
    }

#endif
