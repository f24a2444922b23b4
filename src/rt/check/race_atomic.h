/* Part of race.c: memory that only atomic operations use. They are noted in their synchronization objects,
 * which is cheaper than records in cells. What initialised it before others could see it is forgotten. */

/* Does it happen before whatever any thread does from now on? Not asked of threads that are alike: who looks
 * at what one of them did is noticed by its record. */
static bool is_settled(uint64_t record)
{
    unsigned t = thread_of(record);
    TSET_FOR(i, &rt.live) {
        const struct vclock *clock = &rt.all[i].clock;
        if (t >= clock->n || (uint32_t)(record >> 32) > clock->c[t])
            return false;
    }
    return !rt.all[t].orbit;
}

/* Nothing else is to be known of these bytes: they were at most initialised. */
static bool gives_way(struct cell *c, uint64_t bytes)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < c->count; i++)
        if (c->record[i] & bytes && !is_settled(c->record[i]))
            return false;
    if (c->more | c->crowd)
        return false;
    for (unsigned i = 0; i < c->count; i++)
        if (c->record[i] & ~bytes & BYTES) {
            c->record[kept] = c->record[i] & ~bytes;
            c->pc[kept++] = c->pc[i];
        }
    c->count = (uint8_t)kept;
    c->last = 0;
    return true;
}

static void make_empty(struct cell *c)
{
    c->generation = race.generation;
    c->count = c->last = c->listed = c->atomic = 0;
    c->more = c->crowd = 0;
}

bool race_claim_atomic(uintptr_t address, size_t size)
{
    if (race.generation != rt.generation)
        new_generation();
    for (uintptr_t g = address & ~7ul, end = address + size; g < end; g += GRANULE) {
        struct cell *page = page_of(g), *c = page ? &page[g / GRANULE % PAGE_CELLS] : NULL;
        unsigned from = address > g ? (unsigned)(address - g) : 0;
        uint64_t bytes = byte_mask(from, end - g < GRANULE ? (unsigned)(end - g) : GRANULE);
        if (!c || (c->generation == race.generation && !gives_way(c, bytes)))
            return false;
        if (c->generation != race.generation)
            make_empty(c);
        if (!c->count)
            c->record[0] = 0;
        c->atomic |= (uint8_t)bytes;
    }
    return true;
}

static void push_record(struct cell *c, uint64_t record, uintptr_t pc)
{
    unsigned at = c->count < INLINE ? c->count++ : make_room(c);
    c->record[at] = record;
    c->pc[at] = pc;
    c->last = (uint8_t)at;
}

static void push_notes(struct cell *c, const struct sync *s, uint64_t bytes)
{
    TSET_FOR(t, &s->seen_by) {
        uint64_t by = (uint64_t)t << 16 | bytes;
        if (s->seen[t].read)
            push_record(c, (uint64_t)s->seen[t].read << 32 | RACE_ATOMIC << 8 | by, s->seen[t].pc);
        if (s->seen[t].write)
            push_record(c, (uint64_t)s->seen[t].write << 32 | (RACE_ATOMIC | RACE_WRITE) << 8 | by,
                        s->seen[t].pc);
    }
}

/* A plain access comes to a marked cell: notes become records. */
static __attribute__((noinline)) void unclaim(struct cell *c, uintptr_t granule)
{
    uint64_t claimed = c->atomic;
    rt.guards |= rt.awaits;
    c->atomic = 0;
    for (uintptr_t at = granule - GRANULE; at < granule + GRANULE; at++) {
        struct sync *s = sync_find(at);
        if (!s || s->type != SYNC_ATOMIC || at + s->limit <= granule)
            continue;
        unsigned from = at > granule ? (unsigned)(at - granule) : 0;
        uintptr_t end = at + s->limit < granule + GRANULE ? at + s->limit : granule + GRANULE;
        uint64_t bytes = byte_mask(from, (unsigned)(end - granule));
        if (!(bytes & claimed))
            continue;
        s->mixed = true;
        push_notes(c, s, bytes);
    }
}
