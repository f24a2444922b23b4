/* Assumptions that fail. The thread stays where it is, and the execution counts for nothing from there on,
 * so what it was on the way to is tried again with inputs for which that branch goes the other way.
 *
 * Until the target of a plan is reached no choice is free: which assumptions fail before it follows from the
 * plan and the inputs. So if one fails whatever the inputs, the target is nothing that an execution which
 * counts comes to. */
#include "explore/unfold/unfold.h"


/* Inputs for the plan, if possible such that no assumption fails that is known to. */
void unfold_avoid(struct unfold *u)
{
    uint32_t n = unfold_wishes(u, u->plan, u->plan_count), must = n;
    for (uint32_t k = 0; k < u->avoided_count; k++)
        u->wishes[n++] = unfold_wish(u->avoided[k], !u->avoided[k]->branch);
    if (n > must)
        (void)u->suit(u->wishes, n, must, u->holds);
}

static bool is_planned(const struct unfold *u, const struct net_event *e)
{
    for (uint32_t k = 0; k < u->plan_count; k++)
        if (u->plan[k] == e)
            return true;
    return false;
}

/* Does the branch go the same way with every input that the plan can be executed with? */
static bool always_so(struct unfold *u, const struct net_event *branch)
{
    uint32_t n = unfold_wishes(u, u->plan, u->plan_count);
    u->wishes[n] = unfold_wish(branch, !branch->branch);
    return !u->suit(u->wishes, n + 1, n + 1, u->holds) && (!n || u->holds[n - 1]);
}

/* Does it fail with every input that the plan can be executed with? */
static bool always_fails(struct unfold *u, const struct net_event *branch)
{
    for (uint32_t k = 0; k < u->net.performed_count; k++) {
        const struct net_event *e = net_performed(&u->net, k);
        if ((e->on_input || e->branches) && e != branch && net_before(&u->net, e, branch) &&
            !is_planned(u, e) && !(e->on_input && always_so(u, e)))
            return false; /* it might not come there */
    }
    return always_so(u, branch);
}

/* Is the branch one that was not known to lead to an assumption that fails? */
static bool note(struct unfold *u, struct net_event *branch)
{
    for (uint32_t k = 0; k < u->avoided_count; k++)
        if (u->avoided[k] == branch)
            return false;
    if (u->avoided_count == UNFOLD_AVOIDED)
        return false;
    u->avoided[u->avoided_count++] = branch;
    return true;
}

void unfold_given_up(struct engine *e)
{
    struct unfold *u = e->state;
    struct net_event *target = u->plan_count ? u->plan[u->plan_count - 1] : NULL;
    bool more = false, always = false;
    bool missed = target && target->state == NET_POSSIBLE && !target->queued;
    TSET_FOR(t, &e->gave_up) {
        struct net_condition *c = unfold_numbered(u, (unsigned)t);
        if (tset_has(&u->moved, t)) /* another one's failed before: it would not have come there */
            continue;
        struct net_event *last = net_maker(c);
        if (net_wants(c)) /* the same thread, after the same, went on */
            e->incomplete = "whether an assumption holds does not follow from what was executed";
        c->gives_up = 1;
        if (!last || !last->on_input)
            continue;
        more |= note(u, last);
        always |= missed && !is_planned(u, last) && always_fails(u, last);
    }
    if (!missed)
        return;
    if (always)
        target->state = NET_IMPOSSIBLE;
    else if (more)
        unfold_try_later(u, target);
    else
        e->incomplete = "an assumption fails before what was to be explored (--engine optimal)";
}
