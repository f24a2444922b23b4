#include "host/death.h"

#include "base/ensure.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

void death_words(int status, char *out, size_t size)
{
    if (WIFSIGNALED(status)) {
        const char *name = sigabbrev_np(WTERMSIG(status));
        snprintf(out, size, "was killed by SIG%s%s", name ? name : "?",
                 WTERMSIG(status) == SIGKILL ? ", probably because memory ran out" : "");
    } else {
        snprintf(out, size, "ended with status %d outside of raddle's control", WEXITSTATUS(status));
    }
}

static void fill(struct region *r, struct finding *f, int status, int hung)
{
    struct shared *s = r->shared;
    const struct trace *t = &s->trace;
    const struct event *events = region_at(r, t->events, t->event_room * sizeof *events);
    const struct step *steps = region_at(r, t->steps, t->step_room * sizeof *steps);
    char how[120];
    death_words(status, how, sizeof how);
    *f = (struct finding){.kind = hung ? FINDING_LIVELOCK : FINDING_CRASH,
                          .at_step = t->step_count,
                          .at_event = t->event_count,
                          .execution = s->executions + 1,
                          .seen = 1,
                          .racy_count = s->racy_count};
    for (uint32_t i = t->step_count; i-- > 0;)
        if (!steps[i].branch) {
            f->thread = steps[i].pick;
            break;
        }
    if (events && t->event_count && t->event_count <= t->event_room)
        f->pc = events[t->event_count - 1].pc;
    if (hung)
        snprintf(f->message, sizeof f->message,
                 "no step for %u ms: the program hangs in its own code (or computes for long: --hang)",
                 s->config.hang_ms);
    else
        snprintf(f->message, sizeof f->message, "the whole process %s", how);
}

static struct finding *same(struct shared *s, const struct finding *f)
{
    for (uint32_t i = 0; i < s->finding_count; i++)
        if (finding_same(finding_id(&s->findings[i]), finding_id(f)))
            return &s->findings[i];
    return NULL;
}

void death_record(struct region *r, int status, int hung)
{
    ensure(r->shared != NULL);
    struct shared *s = r->shared;
    struct finding f;
    if (s->trace.step_count > s->trace.step_room || s->finding_count > SHARED_FINDINGS)
        return; /* the program wrote over it */
    fill(r, &f, status, hung);
    struct finding *known = same(s, &f);
    if (known) {
        known->seen++;
        return;
    }
    size_t bytes = s->trace.step_count * sizeof(struct step);
    f.steps = s->finding_count < SHARED_FINDINGS ? arena_alloc(&s->finding_arena, bytes) : NULL;
    void *to = region_at(r, f.steps, bytes);
    if (!to) {
        shared_lose(s, finding_id(&f));
        return;
    }
    const struct step *steps = region_at(r, s->trace.steps, bytes);
    for (uint32_t i = 0; i < s->trace.step_count; i++)
        if (!(steps[i].branch & STEP_SYMBOLIC)) /* the inputs are kept instead */
            ((struct step *)to)[f.step_count++] = steps[i];
    f.at_step = f.step_count;
    memcpy(s->finding_inputs[s->finding_count], s->inputs_now, sizeof s->inputs_now);
    s->findings[s->finding_count++] = f;
}

void death_overwritten(struct region *r)
{
    ensure(r->shared->finding_count < SHARED_FINDINGS);
    struct shared *s = r->shared;
    struct finding f = {.kind = FINDING_CRASH, .execution = 1, .seen = 1};
    snprintf(f.message, sizeof f.message,
             "a wild write: the program wrote over raddle's own memory, its schedule is lost");
    s->findings[s->finding_count++] = f;
}
