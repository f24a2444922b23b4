/* Shared by team.c and team_farm.c alone. */
#ifndef RT_TEAM_IMPL_H
#define RT_TEAM_IMPL_H

#include "rt/core/team.h"

#include "explore/share/portion.h"

#include <sys/syscall.h>
#include <unistd.h>

static inline struct exchange *team_box(void)
{
    return &rt.shared->exchange;
}

static inline struct checkpoint *team_checkpoint(void)
{
    return &team_box()->checkpoints[atomic_load(&team_box()->ticket) >> 1];
}

uint64_t team_clock(void); /* ns */
/* The other checkpoint, with the counters as they are and nothing to do; valid once its ticket is. */
struct checkpoint *team_next_checkpoint(uint32_t *ticket);
/* Posts what is in the mail and waits for the answer; false: the search is over. */
bool team_post_work(uint32_t ticket);
/* Out of work: waits until there is some. */
bool team_wait_for_work(uint32_t ticket);
bool team_pause(void);
/* The leaf the engine is in (explore/share/portion.h), and leaving it. */
uint32_t team_leaf(void);
void team_leave(void);

/* team_farm.c: on a farm, with a grove. */
bool team_farm_between(bool more);
void team_farm_leaves(struct work *item); /* goes on with what was given */
bool team_farm_resume(void);

#endif
