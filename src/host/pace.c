#include "host/pace.h"

#include "base/ensure.h"

#include <stdio.h>

#define FIRST 0.05  /* seconds between samples at the beginning */
#define LATELY 10.0 /* seconds over which the speed is taken */

static void thin_out(struct pace *p)
{
    for (int i = 1; i < p->count / 2; i++)
        p->samples[i] = p->samples[2 * i];
    p->count /= 2;
    p->every *= 2;
}

void pace_note_last(struct pace *p, struct pace_sample now)
{
    if (p->count == PACE_SAMPLES)
        thin_out(p);
    ensure(p->count < PACE_SAMPLES);
    p->samples[p->count++] = now;
}

void pace_note(struct pace *p, struct pace_sample now)
{
    if (!p->every)
        p->every = FIRST;
    if (!p->count || now.seconds - p->samples[p->count - 1].seconds >= p->every)
        pace_note_last(p, now);
}

/* Executions per second of late. */
static double speed(const struct pace *p, struct pace_sample now)
{
    struct pace_sample from = {0};
    for (int i = 0; i < p->count && p->samples[i].seconds <= now.seconds - LATELY; i++)
        from = p->samples[i];
    double seconds = now.seconds - from.seconds;
    return now.executions > from.executions && seconds > 0
               ? (double)(now.executions - from.executions) / seconds
               : 0;
}

static void put_time(char *out, size_t room, const char *how, double seconds)
{
    if (seconds < 100)
        snprintf(out, room, ", %s %.0f s left", how, seconds);
    else if (seconds < 6000)
        snprintf(out, room, ", %s %.0f min left", how, seconds / 60);
    else if (seconds < 72 * 3600)
        snprintf(out, room, ", %s %.0f h left", how, seconds / 3600);
    else
        snprintf(out, room, ", %s %.3g days left", how, seconds / 86400);
}

void pace_left(const struct pace *p, struct pace_sample now, double budget, char *out, size_t room)
{
    double rate = speed(p, now), left = now.estimate - (double)now.executions;
    int known = rate > 0 && left > 0 && now.spread < now.estimate / 2;
    *out = 0;
    if (known && (budget < 0 || left / rate < budget))
        put_time(out, room, "about", left / rate);
    else if (budget >= 0)
        put_time(out, room, "at most", budget);
}
