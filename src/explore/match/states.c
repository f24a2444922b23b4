#include "explore/match/states.h"

#include "base/ensure.h"

#include <string.h>

enum { FIRST_INDEX = 1 << 14 };

/* The arrays are reserved at their largest size: what is not touched costs nothing. */
int match_states_init(struct match_states *s, struct match_model *m)
{
    uint64_t bytes = m->limit - m->arena->used;
    *s = (struct match_states){.model = m, .room = bytes / sizeof *s->found + 64,
                               .edge_room = bytes / sizeof *s->edges + 64,
                               .step_room = bytes / sizeof *s->steps + 64,
                               .queue_room = bytes / sizeof *s->queue + 64};
    s->room = s->room < UINT32_MAX ? s->room : UINT32_MAX - 1;
    s->edge_room = s->edge_room < UINT32_MAX ? s->edge_room : UINT32_MAX - 1;
    s->step_room = s->step_room < UINT32_MAX ? s->step_room : UINT32_MAX - 1;
    uint64_t before = m->arena->used;
    s->found = arena_alloc(m->arena, s->room * sizeof *s->found);
    s->edges = arena_alloc(m->arena, s->edge_room * sizeof *s->edges);
    s->steps = arena_alloc(m->arena, s->step_room * sizeof *s->steps);
    s->queue = arena_alloc(m->arena, s->queue_room * sizeof *s->queue);
    s->index = arena_alloc(m->arena, FIRST_INDEX * sizeof *s->index);
    s->index_room = FIRST_INDEX;
    m->limit += m->arena->used - before;
    return s->found && s->edges && s->steps && s->queue && s->index ? 0 : -1;
}

void match_states_reset(struct match_states *s)
{
    memset(s->index, 0, s->index_room * sizeof *s->index);
    s->count = s->edge_count = s->step_count = s->next = 0;
    s->queue_start = s->queue_end = 0;
}

uint64_t match_states_bytes(const struct match_states *s)
{
    return s->count * sizeof *s->found + s->edge_count * sizeof *s->edges +
           s->step_count * sizeof *s->steps + s->queue_most * sizeof *s->queue;
}

/* ---- by hash ------------------------------------------------------------------------------------------ */

static uint32_t *index_at(const struct match_states *s, uint32_t *index, uint64_t room,
                          const uint64_t hash[2])
{
    ensure(room && !(room & (room - 1)));
    uint64_t i = hash[0] & (room - 1);
    for (; index[i]; i = (i + 1) & (room - 1)) {
        const struct match_found *f = &s->found[index[i] - 1];
        if (f->hash[0] == hash[0] && f->hash[1] == hash[1])
            break;
    }
    return &index[i];
}

static void grow_index(struct match_states *s)
{
    uint64_t room = s->index_room * 4;
    uint32_t *larger = match_need(s->model, room * sizeof *larger);
    if (!larger)
        return;
    for (uint32_t i = 0; i < s->count; i++)
        *index_at(s, larger, room, s->found[i].hash) = i + 1;
    s->index = larger;
    s->index_room = room;
}

/* ---- markings in the queue: how many threads and places, then the local states, then slots and places that
 * are not roots ------------------------------------------------------------------------------------------ */

static bool queue_marking(struct match_states *s, const struct match_marking *k)
{
    const struct match_model *m = s->model;
    uint64_t most = 1 + (uint64_t)k->threads + 2ull * m->slot_count;
    if (s->queue_end + most > s->queue_room || s->queue_start > s->queue_end / 2) {
        memmove(s->queue, s->queue + s->queue_start, (s->queue_end - s->queue_start) * sizeof *s->queue);
        s->queue_end -= s->queue_start;
        s->queue_start = 0;
    }
    if (s->queue_end + most > s->queue_room)
        return false;
    uint64_t *head = &s->queue[s->queue_end], places = 0;
    s->queue_end++;
    for (int t = 0; t < k->threads; t++)
        s->queue[s->queue_end++] = (uint64_t)(uintptr_t)k->local[t];
    for (uint32_t i = 0; i < m->slot_count; i++)
        if (k->place[i] != m->slots[i]->root) {
            s->queue[s->queue_end++] = i;
            s->queue[s->queue_end++] = (uint64_t)(uintptr_t)k->place[i];
            places++;
        }
    *head = places << 32 | (uint32_t)k->threads;
    if (s->queue_end > s->queue_most)
        s->queue_most = s->queue_end;
    return true;
}

bool match_states_first(struct match_states *s, struct match_marking *k)
{
    if (s->queue_start == s->queue_end)
        return false;
    const uint64_t *at = &s->queue[s->queue_start];
    uint32_t threads = (uint32_t)*at, places = (uint32_t)(*at >> 32);
    ensure(threads && threads <= EVENT_MAX_THREADS && places <= s->model->slot_count && s->next < s->count);
    at++;
    for (uint32_t t = 0; t < threads; t++)
        k->local[t] = (struct match_local *)(uintptr_t)*at++;
    for (int t = (int)threads; t < k->threads; t++)
        k->local[t] = NULL;
    k->threads = (int)threads;
    match_places_reset(s->model, k);
    for (uint32_t i = 0; i < places; i++, at += 2)
        k->place[at[0]] = (struct match_place *)(uintptr_t)at[1];
    return true;
}

void match_states_done(struct match_states *s)
{
    uint64_t head = s->queue[s->queue_start];
    s->queue_start += 1 + (uint32_t)head + 2 * (head >> 32);
    s->next++;
    ensure(s->queue_start <= s->queue_end && s->next <= s->count);
}

/* ---- steps that lead to a state ------------------------------------------------------------------------ */

/* What threads do by themselves without choosing is left out, unless it is the first: executions do it. */
static bool keep_steps(struct match_states *s, const struct match_step *steps, uint32_t count)
{
    uint32_t first = s->step_count;
    ensure(count || !s->count); /* only the first state is there without a step */
    if (s->step_count + (uint64_t)count > s->step_room)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        struct match_step *last = s->step_count > first ? &s->steps[s->step_count - 1] : NULL;
        if (i && steps[i].local && !steps[i].branches)
            continue;
        if (last && last->thread == steps[i].thread && !last->branches && !steps[i].branches &&
            last->local == steps[i].local && last->more < 0x7fff)
            last->more++;
        else
            s->steps[s->step_count++] = steps[i];
    }
    return true;
}

uint32_t match_states_way(const struct match_states *s, uint32_t state, struct match_step *out, uint32_t room)
{
    uint32_t count = 0, at;
    for (uint32_t i = state;; i = s->found[i].from) { /* backwards, then turned round */
        uint32_t end = i + 1 < s->count ? s->found[i + 1].steps : s->step_count;
        ensure(i < s->count && s->found[i].from <= i);
        while (end-- > s->found[i].steps)
            for (uint32_t n = 0; n <= s->steps[end].more; n++) {
                if (count == room)
                    return UINT32_MAX;
                out[count] = s->steps[end];
                out[count++].more = 0;
            }
        if (s->found[i].from == i)
            break;
    }
    for (at = 0; at < count / 2; at++) {
        struct match_step x = out[at];
        out[at] = out[count - 1 - at];
        out[count - 1 - at] = x;
    }
    return count;
}

/* ------------------------------------------------------------------------------------------------------- */

uint32_t match_states_add(struct match_states *s, const uint64_t hash[3], const struct match_marking *k,
                          const struct match_step *steps, uint32_t step_count)
{
    uint32_t *at = index_at(s, s->index, s->index_room, hash);
    struct match_model *m = s->model;
    uint32_t first = s->step_count;
    if (*at)
        return *at - 1;
    m->elsewhere = match_states_bytes(s);
    if (s->count == s->room || m->arena->used + m->elsewhere > m->limit ||
        !keep_steps(s, steps, step_count) || !queue_marking(s, k)) {
        m->full = true;
        return UINT32_MAX;
    }
    s->found[s->count] = (struct match_found){
        .hash = {hash[0], hash[1]}, .places = hash[2], .from = s->next, .steps = first};
    *at = ++s->count;
    if (s->count * 2ull > s->index_room)
        grow_index(s);
    return UINT32_MAX;
}

void match_states_edge(struct match_states *s, const struct match_edge *e)
{
    ensure(e->to < s->count || s->model->full);
    if (s->edge_count == s->edge_room)
        s->model->full = true;
    else
        s->edges[s->edge_count++] = *e;
}
