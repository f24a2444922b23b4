/* What the parts of the machine have in common: sim.c memory, mutexes, conditions, semaphores,
 * rwlocks, barriers and threads; objects.c what came later. */
#ifndef SIM_MACHINE_H
#define SIM_MACHINE_H

#include "sim.h"

enum sim_thread_state { UNUSED, READY, JOINING, AT_BARRIER, PARKED, ENDED };

const struct sim_instr *sim_instr_of(const struct sim_state *s, int t);
int sim_object_of(const struct sim_state *s, int t);
uint64_t sim_sync_address(int object);
int sim_address_of(const struct sim_state *s, int t);
int64_t sim_load(const struct sim_state *s, int at, int size);
void sim_emit(struct sim_state *s, struct sim_log *log, struct event *ev);
void sim_emit_local(struct sim_state *s, struct sim_log *log, int t, int kind, uint64_t object,
                    uint64_t value, uint64_t other);
/* Everything that the thread does without a decision. */
void sim_run_local(struct sim_state *s, int t, struct sim_log *log, struct sim_branches *b);
/* Causality: whoever has `clock` hears of what `from` knows. */
void sim_learn(uint8_t *clock, const uint8_t *from);
/* The instruction is performed: the result goes to its register. */
void sim_done(struct sim_state *s, int t, int32_t result);

/* objects.c: the instructions from SIM_SEND on; a step emits its event. The local ones return 0
 * where the thread stops. */
int sim_more_enabled(const struct sim_state *s, int t);
void sim_more_pending(const struct sim_state *s, int t, struct event *out);
void sim_more_step(struct sim_state *s, int t, struct event *ev, struct sim_log *log,
                   struct sim_branches *b);
int sim_more_local(struct sim_state *s, int t, struct sim_log *log, struct sim_branches *b);
/* The end of a thread that somebody may cancel is a step. */
int sim_must_announce_end(const struct sim_state *s, int t);

/* system.c, of these from SIM_QSEND on. */
int sim_system_enabled(const struct sim_state *s, int t);
void sim_system_pending(const struct sim_state *s, int t, struct event *out);
void sim_system_step(struct sim_state *s, int t, struct event *ev, struct sim_branches *b);

/* endings.c, of the waits from SIM_CANCEL_WAIT on that may be asked to end. Is the thread to wait for the end
 * of another one? The thread has been asked. */
int sim_ending_enabled(const struct sim_state *s, int t);
void sim_ending_pending(const struct sim_state *s, int t, struct event *out);
void sim_ending_step(struct sim_state *s, int t, struct event *ev, struct sim_branches *b);
int sim_ending_joins(const struct sim_state *s, int t);
void sim_ending_asked(struct sim_state *s, int t);
/* Wakes one who waits on the condition, or all. */
void sim_signal(struct sim_state *s, int condition, int all, struct event *ev, struct sim_branches *b);

static inline int sim_is_ending(int op)
{
    return op >= SIM_CANCEL_WAIT && op <= SIM_CANCEL_JOIN;
}

static inline struct sim_box *sim_box_of(struct sim_state *s, int object)
{
    return &s->box[object - SIM_BOX];
}
void sim_take_out(struct sim_box *box, int k);

#endif
