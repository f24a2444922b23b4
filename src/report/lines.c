#include "report/lines.h"

#include "report/callsites.h"
#include "report/formats.h"
#include "report/steps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "file:line" outside of raddle.h and of what raddle cc --symbolic puts in libc's place (allocated); NULL if
 * it is not known. */
static char *place_of(struct names *n, uint64_t pc)
{
    struct place p = symbols_place(n->symbols, pc);
    bool own = p.file && (symbols_internal(&p) || !strncmp(p.file, "src/rewrite/", 12));
    return p.file && p.line > 0 && !own ? mem_printf("%s:%d", p.file, p.line) : NULL;
}

static void add(struct report_list *l, uint64_t count, const char *place, const char *other)
{
    if (place && !other)
        vec_push(l, mem_printf("%llu\t%s", (unsigned long long)count, place));
    else if (place)
        vec_push(l, mem_printf("%llu\t%s\t%s", (unsigned long long)count, place, other));
}

void lines_add(struct report *r, struct names *n, const struct places *p)
{
    for (size_t i = 0; i < PLACES_MAX; i++)
        if (p->places[i].count) {
            char *place = place_of(n, p->places[i].pc);
            add(&r->lines, p->places[i].count, place, NULL);
            free(place);
        }
    for (size_t i = 0; i < PLACE_PAIRS_MAX; i++)
        if (p->pairs[i].count) {
            char *first = place_of(n, p->pairs[i].first), *second = place_of(n, p->pairs[i].second);
            if (second)
                add(&r->pairs, p->pairs[i].count, first, second);
            free(first);
            free(second);
        }
    for (size_t i = 0; i < PLACE_BRANCHES_MAX; i++)
        if (p->branches[i].pc) {
            const struct place_branch *b = &p->branches[i];
            char *place = place_of(n, b->pc);
            if (place)
                vec_push(&r->branches, mem_printf("%llu %llu\t%s\t%llx", (unsigned long long)b->count[0],
                                                  (unsigned long long)b->count[1], place,
                                                  (unsigned long long)b->pc));
            free(place);
        }
    r->places_lost += p->lost;
}

/* By what comes after the count, and files by their lines' numbers. */
static int by_place(const void *a, const void *b)
{
    const char *x = strchr(*(char *const *)a, '\t'), *y = strchr(*(char *const *)b, '\t');
    return strverscmp(x ? x : "", y ? y : "");
}

/* The counts before the tab, one or two, added up. */
static char *sum_of(const char *a, const char *b)
{
    char *a_rest, *b_rest;
    unsigned long long first = strtoull(a, &a_rest, 10) + strtoull(b, &b_rest, 10);
    if (*a_rest != ' ')
        return mem_printf("%llu%s", first, strchr(a, '\t'));
    return mem_printf("%llu %llu%s", first, strtoull(a_rest, NULL, 10) + strtoull(b_rest, NULL, 10),
                      strchr(a, '\t'));
}

/* What has the same place becomes one, with the sum of the counts. */
static void unite(struct report_list *l)
{
    size_t kept = 0;
    if (l->count)
        qsort(l->items, l->count, sizeof *l->items, by_place);
    for (size_t i = 0; i < l->count; i++) {
        if (!kept || by_place(&l->items[kept - 1], &l->items[i])) {
            l->items[kept++] = l->items[i];
            continue;
        }
        char *sum = sum_of(l->items[kept - 1], l->items[i]);
        free(l->items[kept - 1]);
        free(l->items[i]);
        l->items[kept - 1] = sum;
    }
    l->count = kept;
}

void lines_finish(struct report *r, struct names *n, const char *program)
{
    struct callsites sites;
    callsites_find(&sites, program);
    for (size_t i = 0; i < sites.items.count; i++) {
        char *place = place_of(n, sites.items.items[i]);
        add(&r->lines, 0, place, NULL);
        free(place);
    }
    callsites_free(&sites);
    unite(&r->lines);
    unite(&r->pairs);
    unite(&r->branches);
}

int lines_take(char *text, struct line_count *out)
{
    char *end;
    *out = (struct line_count){.count = strtoull(text, &end, 10)};
    if (end == text || *end != '\t')
        return -1;
    out->place = end + 1;
    char *tab = strchr(end + 1, '\t');
    if (tab) {
        *tab = 0;
        out->other = tab + 1;
    }
    return 0;
}

/* The branches on inputs in a file, for its lcov record: line, which of those in the line, side, how
 * often. */
static void put_branches(const struct report *r, const char *file, struct sbuf *out)
{
    unsigned found = 0, hit = 0, last = 0, nth = 0;
    for (size_t i = 0; i < r->branches.count; i++) {
        char *rest;
        unsigned long long count[2];
        count[0] = strtoull(r->branches.items[i], &rest, 10);
        count[1] = strtoull(rest, &rest, 10);
        char *place = mem_strndup(rest + 1, strcspn(rest + 1, "\t"));
        unsigned line;
        size_t n = *rest == '\t' ? steps_place(place, &line) : 0;
        if (n && strlen(file) == n && !strncmp(file, place, n)) {
            nth = line == last ? nth + 1 : 0;
            last = line;
            for (int side = 0; side < 2; side++)
                sbuf_printf(out, "BRDA:%u,%u,%d,%llu\n", line, nth, side, count[side]);
            found += 2;
            hit += (count[0] > 0) + (count[1] > 0);
        }
        free(place);
    }
    if (found)
        sbuf_printf(out, "BRF:%u\nBRH:%u\n", found, hit);
}

static void end_file(const struct report *r, const char *file, unsigned found, unsigned hit, struct sbuf *out)
{
    if (!*file)
        return;
    put_branches(r, file, out);
    sbuf_printf(out, "LF:%u\nLH:%u\nend_of_record\n", found, hit);
}

/* lcov: a record per file, lines in order. */
void report_lcov(const struct report *r, struct sbuf *out)
{
    char *file = mem_strdup("");
    unsigned found = 0, hit = 0;
    for (size_t i = 0; i < r->lines.count; i++) {
        char *text = mem_strdup(r->lines.items[i]);
        struct line_count l;
        unsigned line;
        size_t n = lines_take(text, &l) ? 0 : steps_place(l.place, &line);
        if (n && (strlen(file) != n || strncmp(file, l.place, n))) {
            end_file(r, file, found, hit, out);
            free(file);
            file = mem_strndup(l.place, n);
            sbuf_printf(out, "%sSF:", found ? "" : "TN:raddle\n");
            sbuf_puts(out, file);
            sbuf_putc(out, '\n');
            found = hit = 0;
        }
        if (n) {
            sbuf_printf(out, "DA:%u,%llu\n", line, (unsigned long long)l.count);
            found++;
            hit += l.count > 0;
        }
        free(text);
    }
    end_file(r, file, found, hit, out);
    free(file);
}
