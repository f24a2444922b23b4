/* The transitions of the net that a search takes, of which the number is told. Most local states have one. */
#include "explore/match/model.h"

#include "base/ensure.h"

uint64_t match_move(const struct match_marking *k, const struct match_local *l, unsigned branch)
{
    uint64_t h = match_of_places(k, l, match_mix(l->id, branch));
    if (match_joins(l->op.kind) && k->local[l->op.object])
        h = match_mix(h, k->local[l->op.object]->id);
    return h;
}

void match_note_move(struct match_model *m, const struct match_marking *k, struct match_local *l,
                     unsigned branch)
{
    bool joins = match_joins(l->op.kind);
    uint64_t move = match_is_local(l->op.kind) && !joins ? match_mix(l->id, branch)
                                                         : match_move(k, l, branch);
    ensure(m->moves_run);
    if (l->moved_run != m->moves_run) {
        l->moved_run = m->moves_run;
        l->moved = move;
        m->move_count++;
    } else if (l->moved != move) {
        m->move_count += keyset_add(&m->moves, move);
    }
}

void match_forget_moves(struct match_model *m)
{
    keyset_clear(&m->moves);
    m->move_count = 0;
    m->moves_run++;
}
