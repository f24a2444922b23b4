#include "rt/check/property.h"

#include "rt/abi/access.h"
#include "rt/check/finding.h"
#include "trace/property.h"

static struct properties all;
static uint64_t first[PROPERTY_OPS]; /* values of variables when main begins */
static bool there[PROPERTY_OPS];     /* a variable of what was loaded by then, which stays where it is */
static bool told[PROPERTIES];        /* in this execution */
static uint32_t late; /* index + 1 of a write whose value is not known yet */

static uint64_t leaf(void *context, const struct property_op *op)
{
    if (op->kind == PROPERTY_LOAD)
        return there[op - all.ops] ? access_value((uintptr_t)op->value, op->width / 8u)
                                   : access_peek((uintptr_t)op->value, op->width / 8u);
    if (op->kind != PROPERTY_AT)
        return 0; /* a deadlock is a finding by itself */
    TSET_FOR(t, &rt.live) {
        uint64_t begins = t ? (uint64_t)rt.all[t].start : PROPERTY_MAIN;
        bool meant = op->value == PROPERTY_ANYBODY || op->value == begins;
        uint64_t at = rt.next[t].pc - 1;
        if (meant && rt.next[t].kind && at >= op->low && at < op->high)
            return 1;
    }
    return 0;
}

void property_begin(void)
{
    const struct run_config *c = &rt.shared->config;
    if (RT_LIKELY(!c->compiled[0]))
        return;
    rt.properties = !property_read(&all, c->compiled);
    late = 0;
    if (rt.properties && !rt.strategy->states && !rt.strategy->endless && !rt.strategy->follows)
        finding_incomplete("engine %s does not see every global state: whether a property holds in "
                           "none is not known (--engine context tells)",
                           engine_name(rt.strategy));
    for (int k = 0; k < PROPERTIES; k++)
        told[k] = false;
    for (int i = 0; rt.properties && i < all.first[all.count]; i++)
        if (all.ops[i].kind == PROPERTY_LOAD) {
            there[i] = there[i] || access_mapped((uintptr_t)all.ops[i].value, all.ops[i].width / 8u);
            first[i] = leaf(NULL, &all.ops[i]);
        }
}

uint64_t property_initial(uint64_t address, uint32_t size)
{
    for (int i = 0; i < all.first[all.count]; i++)
        if (all.ops[i].kind == PROPERTY_LOAD && all.ops[i].value == address && all.ops[i].width == 8 * size)
            return first[i];
    return 0;
}

bool property_watches(uintptr_t address, size_t size)
{
    for (int i = 0; i < all.first[all.count]; i++) {
        const struct property_op *op = &all.ops[i];
        if (op->kind == PROPERTY_LOAD && op->value < address + size && address < op->value + op->width / 8u)
            return true;
    }
    return false;
}

void property_wrote(void)
{
    late = rt.trace->event_count;
}

/* The text of property k, from those separated by ";". */
static const char *text_of(int k, int *length)
{
    const char *p = rt.shared->config.property;
    for (*length = 0; k || (p[*length] && p[*length] != ';');) {
        if (!k)
            ++*length;
        else if (*p++ == ';')
            k--;
    }
    return p;
}

static void tell(int k)
{
    int length;
    const char *text = text_of(k, &length);
    uint64_t pc = rt.trace->event_count ? rt.trace->events[rt.trace->event_count - 1].pc : 0;
    struct finding *f = finding_new(FINDING_PROPERTY, pc, 0, "property holds: %.*s", length, text);
    f->pc2 = (uint64_t)k + 1;
    TSET_FOR(t, &rt.live)
        if (rt.next[t].kind)
            finding_fact(f, FACT_STANDS, t, rt.next[t].pc, rt.next[t].object);
    finding_commit(f);
}

void property_check(void)
{
    struct event *ev = late ? &rt.trace->events[late - 1] : NULL;
    if (ev)
        ev->value = access_peek((uintptr_t)ev->object, ev->size);
    late = 0;
    for (int k = 0; k < all.count; k++) {
        if (told[k] || !property_eval(&all, k, leaf, NULL))
            continue;
        told[k] = true;
        tell(k);
    }
}
