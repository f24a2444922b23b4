/* Part of race.c: writes in rounds that a thread which waits leaves out (core/await_reads.c). Their
 * records, which have no pc, lie beside those of accesses that were made: who races with one is noticed
 * whenever it comes (finding_race). */

static void left_in(uintptr_t granule, const struct access *a)
{
    struct cell *page = page_of(granule), *c = page ? &page[granule / GRANULE % PAGE_CELLS] : NULL;
    if (c && c->generation != race.generation)
        cell_begin(c, a->record, 0);
    else if (c && !recorded_anywhere(c, a))
        push_record(c, a->record, 0);
}

void race_left(const struct thread *t, uintptr_t address, size_t size)
{
    uint64_t by = (uint64_t)t->clock.c[t->id] << 32 | (uint64_t)t->id << 16 | RACE_WRITE << 8;
    struct access a = {.record = by, .clock = &t->clock, .asks = true};
    if (race.generation != rt.generation)
        new_generation();
    visit_cells(address, size, &a, cell_end);
    if (a.found)
        await_reads_raced(address, size);
    for (uintptr_t g = address & ~7ul, end = address + size; g < end; g += GRANULE) {
        unsigned from = address > g ? (unsigned)(address - g) : 0;
        a.record = by | byte_mask(from, end - g < GRANULE ? (unsigned)(end - g) : GRANULE);
        left_in(g, &a);
    }
}
