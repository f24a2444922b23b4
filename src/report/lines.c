#include "report/lines.h"

#include "report/callsites.h"
#include "report/formats.h"
#include "report/steps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "file:line" outside of raddle.h (allocated); NULL if it is not known. */
static char *place_of(struct names *n, uint64_t pc)
{
    struct place p = symbols_place(n->symbols, pc);
    return p.file && p.line > 0 && !symbols_internal(&p) ? mem_printf("%s:%d", p.file, p.line)
                                                            : NULL;
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
    r->places_lost += p->lost;
}

/* By what comes after the count, and files by their lines' numbers. */
static int by_place(const void *a, const void *b)
{
    const char *x = strchr(*(char *const *)a, '\t'), *y = strchr(*(char *const *)b, '\t');
    return strverscmp(x ? x : "", y ? y : "");
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
        char *sum = mem_printf(
            "%llu%s", strtoull(l->items[kept - 1], NULL, 10) + strtoull(l->items[i], NULL, 10),
            strchr(l->items[i], '\t'));
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
            if (*file)
                sbuf_printf(out, "LF:%u\nLH:%u\nend_of_record\n", found, hit);
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
    if (*file)
        sbuf_printf(out, "LF:%u\nLH:%u\nend_of_record\n", found, hit);
    free(file);
}
