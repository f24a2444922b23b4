/* Part of reach_sim.h: monitors and conditions. */
#ifndef TESTS_REACH_SIM_WAIT_H
#define TESTS_REACH_SIM_WAIT_H

static int sim_next_waiter(const struct sim *s, int condition)
{
    int first = -1;
    for (int t = 0; t < s->p->threads; t++)
        if (s->t[t].condition == condition && (first < 0 || s->t[t].ticket < s->t[first].ticket))
            first = t;
    return first;
}

static void sim_give_up(struct sim *s, int o)
{
    int urgent = -1;
    s->owner[o] = -1;
    for (int t = 0; t < s->p->threads; t++)
        if (s->urgent >> t & 1 && sim_instr(s, t)->object == o &&
            (urgent < 0 || s->t[t].ticket < s->t[urgent].ticket))
            urgent = t;
    if (urgent >= 0) {
        s->urgent &= ~(1u << urgent);
        s->owner[o] = urgent;
        sim_monitor(s, urgent);
    }
}

static void sim_leave(struct sim *s, int t)
{
    int o = sim_instr(s, t)->object;
    sim_local(s, t, EV_MONITOR_EXIT, sim_address(3, o), 0);
    s->t[t].h = sim_mix(s->t[t].h, s->monitor_h[o]);
    s->t[t].pc++;
    s->t[t].phase = 0;
    sim_advance(s, t);
    sim_give_up(s, o);
}

static void sim_signal_urgent(struct sim *s, int t, int o, int woken)
{
    s->t[t].phase = 3;
    s->t[t].state = S_PARKED;
    s->t[t].ticket = ++s->tickets;
    s->urgent |= 1u << t;
    s->owner[o] = woken;
    s->t[woken].phase = 2;
    sim_monitor(s, woken);
}

static void sim_wake_to_enter(struct sim *s, int t, int o)
{
    s->t[t].h = sim_mix(s->t[t].h, s->monitor_h[o]);
    s->t[t].phase = 1;
    sim_pend(s, t, EV_MONITOR_ENTER, sim_address(3, o));
}

/* Phases inside: 0 just entered, 2 after waiting, 3 after signalling. */
static void sim_monitor(struct sim *s, int t)
{
    const struct instr *in = sim_instr(s, t);
    int o = in->object;
    if (s->t[t].phase == 0 && (s->monitor_h[o] >> 7) % 3 == 0) {
        sim_local(s, t, EV_MONITOR_WAIT, sim_address(3, o), 0);
        s->t[t].state = S_PARKED;
        s->t[t].condition = o + 1;
        s->t[t].ticket = ++s->tickets;
        sim_give_up(s, o);
        return;
    }
    bool all = in->signal == 2 && !s->p->urgent;
    for (int w; s->t[t].phase != 3 && in->signal && (w = sim_next_waiter(s, o + 1)) >= 0;) {
        sim_local(s, t, EV_MONITOR_SIGNAL, sim_address(3, o), (uint64_t)w + 1);
        s->t[w].condition = 0;
        if (s->p->urgent) {
            sim_signal_urgent(s, t, o, w);
            return;
        }
        sim_wake_to_enter(s, w, o);
        if (!all)
            break;
    }
    sim_leave(s, t);
}

/* The mutex-and-condition instruction. Phases: 0 lock, 1 wait, 2 wake or timeout, 3 signal, 4 unlock,
 * 5 signal after unlocking. */
static void sim_cv_pend(struct sim *s, int t)
{
    static const enum event_kind kinds[] = {EV_LOCK, EV_COND_WAIT, EV_COND_WAKE, EV_COND_SIGNAL,
                                            EV_UNLOCK, EV_COND_SIGNAL};
    const struct instr *in = sim_instr(s, t);
    int phase = s->t[t].phase;
    bool cond = phase == 1 || phase == 3 || phase == 5;
    sim_pend(s, t, kinds[phase], sim_address(cond ? 5 : 4, in->object));
    if (cond && phase != 1 && in->signal == 2)
        s->t[t].next.kind = EV_COND_BROADCAST;
    if (phase == 1) {
        s->t[t].next.other = sim_address(4, in->object);
        s->t[t].next.flags = s->p->timed ? EVENT_TIMED : 0;
    }
}

static void sim_cv_wake(struct sim *s, int w, int o)
{
    s->t[w].condition = 0;
    s->t[w].h = sim_mix(s->t[w].h, s->cv_h[o]);
    s->t[w].next.kind = EV_COND_WAKE;
    s->t[w].next.object = sim_address(4, o);
}

static void sim_cv_signal(struct sim *s, int t, struct event *ev)
{
    int o = sim_instr(s, t)->object, n = 0, waiting[SIM_THREADS];
    for (int w = 0; w < s->p->threads; w++)
        if (s->t[w].condition == 100 + o)
            waiting[n++] = w;
    if (ev->kind == EV_COND_BROADCAST) {
        ev->value = (uint64_t)n;
    } else if (n) {
        int pick = sim_branch(s, ev, n);
        waiting[0] = waiting[pick];
        s->cv_h[o] = sim_mix(s->cv_h[o], n > 1 ? (uint64_t)pick + 77 : 0);
        s->t[t].h = s->cv_h[o];
        ev->value = (uint64_t)waiting[0] + 1;
        n = 1;
    }
    sim_emit(s, *ev);
    for (int i = 0; i < n; i++)
        sim_cv_wake(s, waiting[i], o);
}

static void sim_cv_perform(struct sim *s, int t)
{
    const struct instr *in = sim_instr(s, t);
    struct sim_thread *me = &s->t[t];
    int o = in->object;
    struct event ev = me->next;
    s->cv_h[o] = me->h = sim_mix(s->cv_h[o], sim_mix(me->h, ev.kind));
    if (ev.kind == EV_COND_SIGNAL || ev.kind == EV_COND_BROADCAST) {
        sim_cv_signal(s, t, &ev);
        if (me->phase == 5) {
            me->pc++, me->phase = 0;
            sim_advance(s, t);
            return;
        }
        me->phase = 4;
    } else if (ev.kind == EV_COND_WAIT) {
        s->mutex[o] = 0;
        me->condition = 100 + o;
        sim_emit(s, ev);
        me->phase = 2;
        sim_cv_pend(s, t);
        if (s->p->timed) {
            me->next.kind = EV_COND_TIMEOUT;
            me->next.object = sim_address(5, o);
        }
        return;
    } else if (ev.kind == EV_COND_TIMEOUT) {
        me->condition = 0;
        sim_emit(s, ev);
        sim_cv_pend(s, t);
        return;
    } else {
        s->mutex[o] = ev.kind != EV_UNLOCK;
        ev.value = 1;
        sim_emit(s, ev);
        if (ev.kind == EV_LOCK)
            me->phase = (me->h >> 9) % 2 ? 1 : in->signal && !in->mode ? 3 : 4;
        else if (ev.kind == EV_COND_WAKE)
            me->phase = in->signal && !in->mode ? 3 : 4;
        else if (in->signal && in->mode)
            me->phase = 5;
        else {
            me->pc++, me->phase = 0;
            sim_advance(s, t);
            return;
        }
    }
    sim_cv_pend(s, t);
}

#endif
