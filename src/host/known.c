#include "host/known.h"

#include "base/ensure.h"
#include "report/identity.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SUPPRESSIONS "raddle.supp"
#define HEAD                                                                                       \
    "# Findings that are known and do not fail (raddle run --baseline): kind, what it says, places.\n"

/* ---- reading ---- */

typedef int take_line(struct known *k, char *line, const char *from, struct error *e);

static int read_lines(struct known *k, const char *path, take_line *take, struct error *e)
{
    FILE *f = fopen(path, "r");
    char *line = NULL;
    size_t room = 0;
    int status = 0;
    if (!f)
        return error_set(e, EXIT_USAGE, "cannot read %s: %s", path, strerror(errno));
    for (unsigned number = 1; !status && getline(&line, &room, f) >= 0; number++) {
        char *from = mem_printf("%s:%u", path, number);
        line[strcspn(line, "\r\n")] = 0;
        if (line[0] && line[0] != '#')
            status = take(k, line, from, e);
        free(from);
    }
    free(line);
    fclose(f);
    return status;
}

static int no_such_kind(const char *kind, size_t n, const char *from, struct error *e)
{
    struct sbuf names = {0};
    for (unsigned i = 0; i < FINDING_LEAK; i++)
        sbuf_printf(&names, " %s", finding_name(i));
    error_set(e, EXIT_USAGE, "%s: '%.*s' is no kind of finding", from, (int)n, kind);
    error_todo(e, "a line is KIND:PATTERN, KIND one of any%s", sbuf_str(&names));
    sbuf_free(&names);
    return -1;
}

static int take_suppression(struct known *k, char *line, const char *from, struct error *e)
{
    char *text = line + strspn(line, " \t"), *colon = strchr(text, ':');
    if (!*text)
        return 0;
    size_t n = colon ? (size_t)(colon - text) : strlen(text);
    ensure(n <= strlen(text));
    char *kind = mem_strndup(text, n);
    bool any = !strcmp(kind, "any");
    if (!colon || !colon[1] || (!any && finding_find(kind) >= FINDING_LEAK)) {
        free(kind);
        return no_such_kind(text, n, from, e);
    }
    if (any) {
        free(kind);
        kind = NULL;
    }
    vec_push(&k->rules, ((struct known_rule){.kind = kind, .pattern = mem_strdup(colon + 1),
                                             .from = mem_strdup(from)}));
    return 0;
}

static int take_identity(struct known *k, char *line, const char *from, struct error *e)
{
    size_t n = strcspn(line, "\t");
    char *kind = mem_strndup(line, n);
    bool known = finding_find(kind) < FINDING_LEAK;
    free(kind);
    if (!known || !line[n])
        return error_set(e, EXIT_USAGE, "%s: this is no line of a baseline (--save-baseline writes them)",
                         from);
    vec_push(&k->rules, ((struct known_rule){.identity = mem_strdup(line), .from = mem_strdup(from)}));
    return 0;
}

static bool exists(const char *path)
{
    FILE *f = fopen(path, "r");
    if (f)
        fclose(f);
    return f != NULL;
}

int known_load(struct known *k, const char *suppressions, const char *baseline, struct error *e)
{
    *k = (struct known){0};
    if (!suppressions && exists(SUPPRESSIONS))
        suppressions = SUPPRESSIONS;
    if (suppressions && read_lines(k, suppressions, take_suppression, e))
        return -1;
    if (baseline && read_lines(k, baseline, take_identity, e))
        return exists(baseline) ? -1 : error_todo(e, "raddle run --save-baseline %s makes it", baseline);
    return 0;
}

void known_free(struct known *k)
{
    for (size_t i = 0; i < k->rules.count; i++) {
        free(k->rules.items[i].kind);
        free(k->rules.items[i].pattern);
        free(k->rules.items[i].identity);
        free(k->rules.items[i].from);
    }
    vec_free(&k->rules);
}

/* ---- matching ---- */

/* From the beginning of the text; * stands for anything. */
static bool matches_here(const char *pattern, const char *text)
{
    for (; *pattern; pattern++, text++) {
        if (*pattern == '*') {
            for (; !matches_here(pattern + 1, text); text++)
                if (!*text)
                    return false;
            return true;
        }
        if (*pattern == '$' && !pattern[1])
            return !*text;
        if (*pattern != *text)
            return false;
    }
    return true;
}

static bool matches(const char *pattern, const char *text)
{
    if (*pattern == '^')
        return matches_here(pattern + 1, text);
    for (; *text; text++)
        if (matches_here(pattern, text))
            return true;
    return false;
}

static bool names_it(const struct known_rule *rule, const char *kind, const struct report_list *names,
                     const char *identity)
{
    ensure(rule->pattern || rule->identity);
    if (rule->identity)
        return !strcmp(rule->identity, identity);
    if (rule->kind && strcmp(rule->kind, kind))
        return false;
    for (size_t i = 0; i < names->count; i++)
        if (matches(rule->pattern, names->items[i]))
            return true;
    return false;
}

const char *known_by(const struct known *k, const struct report_finding *f)
{
    struct names n;
    struct report_list names = {0};
    const char *from = NULL;
    if (!k->rules.count)
        return NULL;
    ensure(f->schedule.kind);
    names_init(&n, &f->tale);
    identity_names(&n, f, &names);
    char *identity = identity_of(&n, f);
    for (size_t i = 0; i < k->rules.count && !from; i++)
        if (names_it(&k->rules.items[i], f->schedule.kind, &names, identity))
            from = k->rules.items[i].from;
    for (size_t i = 0; i < names.count; i++)
        free(names.items[i]);
    vec_free(&names);
    free(identity);
    names_free(&n);
    return from;
}

/* ---- writing ---- */

static bool is_there(const struct known *k, const char *identity)
{
    for (size_t i = 0; i < k->rules.count; i++)
        if (!strcmp(k->rules.items[i].identity, identity))
            return true;
    return false;
}

static void save_finding(const struct report_finding *f, struct known *k, FILE *to)
{
    struct names n;
    names_init(&n, &f->tale);
    char *identity = identity_of(&n, f);
    if (!is_there(k, identity)) {
        fprintf(to, "%s\n", identity);
        vec_push(&k->rules, ((struct known_rule){.identity = mem_strdup(identity)}));
    }
    free(identity);
    names_free(&n);
}

int known_save(const char *path, const struct report *r, struct error *e)
{
    struct known k = {0};
    bool old = exists(path);
    if (old && read_lines(&k, path, take_identity, e)) {
        known_free(&k);
        return -1;
    }
    FILE *to = fopen(path, "a");
    if (to && !old)
        fputs(HEAD, to);
    for (size_t i = 0; to && i < r->findings.count; i++)
        save_finding(&r->findings.items[i], &k, to);
    known_free(&k);
    return !to || fclose(to) ? error_set(e, EXIT_UNWRITTEN, "cannot write %s: %s", path, strerror(errno)) : 0;
}
