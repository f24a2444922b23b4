#include "trace/work.h"

#include "base/ensure.h"

void work_begin(struct work *w, enum work_kind kind)
{
    ensure(kind < WORK_KINDS);
    w->length = w->at = 0;
    w->failed = false;
    work_put(w, WORK_MAGIC);
    work_put(w, WORK_VERSION);
    work_put(w, kind);
}

enum work_kind work_open(struct work *w)
{
    w->at = 0;
    w->failed = false;
    if (work_get(w) != WORK_MAGIC || work_get(w) != WORK_VERSION)
        w->failed = true;
    uint64_t kind = work_get(w);
    return w->failed || kind >= WORK_KINDS ? WORK_NONE : (enum work_kind)kind;
}

void work_put(struct work *w, uint64_t value)
{
    ensure(w->length <= w->room);
    do {
        unsigned char low = value & 127;
        value >>= 7;
        if (w->length >= w->room) {
            w->failed = true;
            return;
        }
        w->bytes[w->length++] = (unsigned char)(low | (value ? 128 : 0));
    } while (value);
}

static void set_wide(unsigned char *to, uint32_t value)
{
    for (int i = 0; i < WORK_WIDE; i++, value >>= 7)
        to[i] = (unsigned char)((value & 127) | (i < WORK_WIDE - 1 ? 128 : 0));
}

void work_put_wide(struct work *w, uint32_t value)
{
    if (w->room - w->length < WORK_WIDE) {
        w->failed = true;
        return;
    }
    set_wide(w->bytes + w->length, value);
    w->length += WORK_WIDE;
}

void work_begin_gift(struct work *w, bool done, bool part, uint64_t level)
{
    work_begin(w, WORK_GIFT);
    work_put(w, done);
    work_put(w, part);
    if (!part)
        return;
    work_put_wide(w, 0);
    work_put(w, level);
}

void work_end_gift(struct work *w)
{
    enum { BEFORE = WORK_HEAD + 2 + WORK_WIDE };
    if (!w->failed && w->length > BEFORE)
        set_wide(w->bytes + BEFORE - WORK_WIDE, (uint32_t)(w->length - BEFORE));
}

void work_set_frame(struct work *item, uint32_t frame)
{
    ensure(item->length >= WORK_HEAD + WORK_WIDE);
    set_wide(item->bytes + WORK_HEAD, frame);
}

uint64_t work_get(struct work *w)
{
    ensure(w->at <= w->length);
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        if (w->at >= w->length)
            break;
        unsigned char b = w->bytes[w->at++];
        value |= (uint64_t)(b & 127) << shift;
        if (!(b & 128))
            return value;
    }
    w->failed = true;
    return 0;
}

void work_put_act(struct work *w, const struct act *a)
{
    ensure(a->role < ROLES && a->kind < EVENT_KINDS);
    work_put(w, a->object);
    work_put(w, a->object2);
    work_put(w, a->size);
    work_put(w, a->thread);
    work_put(w, a->role);
    work_put(w, a->role2);
    work_put(w, a->kind);
}

struct act work_get_act(struct work *w)
{
    struct act a = {.object = work_get(w), .object2 = 0};
    a.object2 = work_get(w);
    a.size = (uint32_t)work_get(w);
    uint64_t thread = work_get(w), role = work_get(w), role2 = work_get(w), kind = work_get(w);
    a.thread = (uint8_t)thread;
    a.role = (uint8_t)role;
    a.role2 = (uint8_t)role2;
    a.kind = (uint8_t)kind;
    if (thread >= EVENT_MAX_THREADS || role >= ROLES || role2 >= ROLES || kind >= EVENT_KINDS ||
        (role == ROLE_SECTION && !w->own)) {
        w->failed = true;
        a = (struct act){0};
    }
    return a;
}

void work_put_set(struct work *w, const struct tset *s)
{
    work_put(w, (uint64_t)tset_count(s));
    TSET_FOR(t, s)
        work_put(w, (uint64_t)t);
}

struct tset work_get_set(struct work *w)
{
    struct tset s = {{0}};
    for (uint64_t n = work_get(w); n > 0 && !w->failed; n--) {
        uint64_t t = work_get(w);
        if (t < EVENT_MAX_THREADS)
            tset_add(&s, (int)t);
        else
            w->failed = true;
    }
    return s;
}
