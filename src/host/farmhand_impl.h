/* Shared by farmhand.c and farmhand_post.c alone. */
#ifndef HOST_FARMHAND_IMPL_H
#define HOST_FARMHAND_IMPL_H

#include "base/ensure.h"
#include "host/farmhand.h"

#define WORTH 0.1     /* seconds that an item should be worth: sooner it is not split */
#define TELL_PAUSE 1500000u /* ns between messages of a worker, for each worker of all participants */

static inline struct region *hand_region(const struct farmhand *h, uint32_t i)
{
    ensure(i < h->team->members.count);
    return h->team->members.items[i];
}

static inline struct shared *hand_shared(const struct farmhand *h, uint32_t i)
{
    return hand_region(h, i)->shared;
}

static inline struct exchange *hand_box(const struct farmhand *h, uint32_t i)
{
    return &hand_shared(h, i)->exchange;
}

static inline bool hand_posted(const struct farmhand *h, uint32_t i)
{
    return atomic_load(&hand_box(h, i)->ticket) & 1;
}

/* farmhand_post.c: what goes into the log. alive: the worker waits for the answer. */
void hand_take_outbox(struct farmhand *h, uint32_t i); /* what the worker told without waiting */
void hand_send_post(struct farmhand *h, uint32_t i, bool alive);
void hand_send_news(struct farmhand *h, uint32_t i);
void hand_send_checkpoint(struct farmhand *h, uint32_t i, double now);
/* What the workers of this machine have executed since what was told last. */
struct counters hand_counted(const struct farmhand *h);
void hand_send_findings(struct farmhand *h, uint32_t i);

#endif
