#include "object/section.h"

#include "base/ensure.h"

static struct act access_act(const struct section *s, const struct act *whole)
{
    ensure(s->role <= ROLE_WRITE);
    return (struct act){.object = s->object, .size = s->size, .thread = whole->thread, .role = s->role,
                        .role2 = ROLE_NONE, .kind = s->role == ROLE_READ ? EV_LOAD : EV_STORE};
}

/* Whatever it may be, it is memory (rt/abi/svcomp.c). */
static bool may_meet(const struct act *a)
{
    return a->role <= ROLE_WRITE || a->role == ROLE_AWAIT || a->role == ROLE_SECTION;
}

bool section_dependent(const struct act *a, const struct act *b)
{
    if (a->role != ROLE_SECTION) {
        ensure(b->role == ROLE_SECTION);
        return section_dependent(b, a);
    }
    if (section_unknown(a) || section_unknown(b))
        return may_meet(b);
    for (const struct section *s = section_of(a); s; s = s->before) {
        struct act one = access_act(s, a);
        if (act_dependent(b, &one))
            return true;
    }
    return false;
}

/* Does it write what the access reads? */
static bool changes(const struct act *a, const struct section *read)
{
    struct act one = access_act(read, a);
    if (a->role != ROLE_SECTION)
        return a->role == ROLE_WRITE && act_overlap(a, &one);
    for (const struct section *s = section_of(a); s; s = s->before)
        if (s->role == ROLE_WRITE && s->object < read->object + read->size &&
            read->object < s->object + s->size)
            return true;
    return false;
}

bool section_certain(const struct section *s, const struct act *first)
{
    for (; s; s = s->before)
        if (s->reads && changes(first, s))
            return false;
    return true;
}

static bool touches(const struct section *s, uint64_t object, uint32_t size, int role, bool reads)
{
    return s->object == object && s->size == size && (s->role == role || s->role == ROLE_WRITE) &&
           (s->reads || !reads);
}

const struct section *section_with(const struct section *s, uint64_t object, uint32_t size, int role,
                                   bool reads)
{
    for (const struct section *k = s; k; k = k->before)
        if (touches(k, object, size, role, reads))
            return s;
    for (const struct section *k = s ? s->longer : NULL; k; k = k->next)
        if (k->object == object && k->size == size && k->role == role && k->reads == reads)
            return k;
    return NULL;
}
