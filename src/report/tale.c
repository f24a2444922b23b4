#include "report/tale.h"

#include "base/sbuf.h"
#include "object/object.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void take_module(struct tale *t, const char *p, size_t n)
{
    struct story_module m;
    if (n <= sizeof m)
        return;
    memcpy(&m, p, sizeof m);
    vec_push(&t->modules,
             ((struct tale_module){m.base, m.start, m.end, mem_strndup(p + sizeof m, n - sizeof m)}));
}

static void take_calls(struct tale *t, const char *p, size_t n)
{
    struct story_calls head;
    if (n < sizeof head)
        return;
    memcpy(&head, p, sizeof head);
    size_t room = (n - sizeof head) / sizeof(struct story_frame);
    struct tale_calls c = {.frames = head.frames < room ? head.frames : (uint32_t)room};
    c.frame = mem_alloc((c.frames + 1) * sizeof *c.frame);
    c.pc = mem_alloc((c.frames + 1) * sizeof *c.pc);
    memcpy(c.frame, p + sizeof head, c.frames * sizeof *c.frame);
    for (uint32_t i = 0; i < c.frames; i++)
        c.pc[i] = c.frame[i].pc;
    vec_push(&t->calls, c);
}

/* NULL: it has none, and then its own place is all there is. */
static const struct tale_calls *calls_of(const struct tale *t, uint32_t number)
{
    return number && number <= t->calls.count ? &t->calls.items[number - 1] : NULL;
}

/* Numbers of threads are indices for whoever reads it. */
static int is_sound(const struct event *e)
{
    if (e->kind >= EVENT_KINDS || e->thread >= EVENT_MAX_THREADS)
        return 0;
    if (operation_is(e->kind, OP_OF_THREAD))
        return e->object < EVENT_MAX_THREADS;
    return !operation_is(e->kind, OP_WAKES_ONE) || e->value <= EVENT_MAX_THREADS;
}

static void take_event(struct tale *t, const char *p, size_t n)
{
    struct story_event e;
    if (n < sizeof e)
        return;
    memcpy(&e, p, sizeof e);
    if (!is_sound(&e.event))
        return;
    const struct tale_calls *c = calls_of(t, e.calls);
    struct tale_event out = {.event = e.event, .step = e.step, .order = e.order};
    if (c) {
        out.frames = c->frames;
        out.pc = c->pc;
        out.frame = c->frame;
    }
    vec_push(&t->events, out);
}

/* A program's text in one line, which cannot be taken for lines of ours: newlines become visible. */
static char *one_line(const char *text, size_t n)
{
    struct sbuf out = {0};
    for (size_t i = 0; i < n && text[i]; i++)
        if (text[i] == '\n' || text[i] == '\r')
            sbuf_puts(&out, text[i] == '\n' ? "\\n" : "\\r");
        else
            sbuf_putc(&out, text[i]);
    return out.s ? out.s : mem_strdup("");
}

static void take_note(struct tale *t, const char *p, size_t n)
{
    uint64_t thread;
    if (n < sizeof thread)
        return;
    memcpy(&thread, p, sizeof thread);
    if (thread >= EVENT_MAX_THREADS)
        return;
    const struct tale_event *before = t->events.count ? &t->events.items[t->events.count - 1] : NULL;
    struct tale_event out = {.note = one_line(p + sizeof thread, n - sizeof thread),
                             .step = before ? before->step : 0};
    out.event = (struct event){.kind = EV_NOTE, .thread = (uint16_t)thread};
    if (before && before->event.kind == EV_NOTE && !before->note && before->event.thread == thread) {
        t->events.items[t->events.count - 1].note = out.note; /* the text of the event before */
        return;
    }
    vec_push(&t->events, out);
}

/* The line that the thread began to print and nothing but plain accesses came after; NULL. */
static struct tale_event *unfinished_line(struct tale *t, int thread)
{
    for (size_t i = t->events.count; i-- > 0;) {
        struct tale_event *e = &t->events.items[i];
        if (e->prints)
            return !e->whole && e->event.thread == thread ? e : NULL;
        if (e->event.thread != thread || !(e->event.flags & EVENT_PLAIN || e->event.kind == EV_ALLOC))
            return NULL;
    }
    return NULL;
}

/* One event for each line that was printed. What comes in pieces is put together again. */
static void take_output(struct tale *t, const char *p, size_t n)
{
    uint64_t thread;
    if (n < sizeof thread)
        return;
    memcpy(&thread, p, sizeof thread);
    if (thread >= EVENT_MAX_THREADS)
        return;
    char *text = mem_strndup(p + sizeof thread, n - sizeof thread);
    for (char *line = text; *line;) {
        size_t length = strcspn(line, "\n");
        struct tale_event *before = t->events.count ? &t->events.items[t->events.count - 1] : NULL;
        struct tale_event *begun = unfinished_line(t, (int)thread);
        if (begun) {
            char *joined = mem_printf("%s%.*s", begun->note, (int)length, line);
            free(begun->note);
            begun->note = joined;
            begun->whole = line[length] == '\n';
        } else {
            vec_push(&t->events,
                     ((struct tale_event){.note = mem_strndup(line, length),
                                          .step = before ? before->step : 0,
                                          .prints = 1,
                                          .whole = line[length] == '\n',
                                          .event = {.kind = EV_NOTE, .thread = (uint16_t)thread}}));
        }
        line += length + (line[length] == '\n');
    }
    free(text);
}

static void take_stack(struct tale *t, const char *p, size_t n)
{
    struct story_stack s;
    if (n < sizeof s)
        return;
    memcpy(&s, p, sizeof s);
    if (s.thread >= EVENT_MAX_THREADS || !is_sound(&s.next))
        return;
    const struct tale_calls *c = calls_of(t, s.calls);
    struct tale_stack out = {.finding = t->findings.count ? t->findings.count - 1 : 0,
                             .thread = s.thread,
                             .next = s.next};
    if (c) {
        out.frames = c->frames;
        out.pc = c->pc;
        out.frame = c->frame;
    }
    vec_push(&t->stacks, out);
}

static void take_memory(struct tale *t, const char *p, size_t n)
{
    struct tale_memory m = {.finding = t->findings.count ? t->findings.count - 1 : 0};
    if (n < sizeof m.address)
        return;
    memcpy(&m.address, p, sizeof m.address);
    m.size = n - sizeof m.address;
    m.bytes = mem_alloc(m.size + 1);
    memcpy(m.bytes, p + sizeof m.address, m.size);
    vec_push(&t->memory, m);
}

static void take_finding(struct tale *t, const char *p, size_t n)
{
    struct tale_finding f = {.at = t->events.count};
    if (n < sizeof f.finding)
        return;
    memcpy(&f.finding, p, sizeof f.finding);
    struct finding *found = &f.finding;
    if (found->kind >= FINDING_KINDS || found->fact_count > FINDING_FACTS ||
        found->thread >= EVENT_MAX_THREADS)
        return;
    found->message[sizeof found->message - 1] = 0;
    for (uint32_t i = 0; i < found->fact_count; i++) {
        struct fact *fact = &found->facts[i];
        if (fact->kind >= FACT_KINDS || fact->thread >= EVENT_MAX_THREADS || fact->other > EVENT_MAX_THREADS)
            return;
        fact->word[sizeof fact->word - 1] = 0;
    }
    f.finding.steps = NULL;
    f.finding.step_count = 0;
    vec_push(&t->findings, f);
}

static void take_record(struct tale *t, uint32_t tag, const char *p, size_t n)
{
    switch (tag) {
    case STORY_MODULE:
        take_module(t, p, n);
        break;
    case STORY_EVENT:
        take_event(t, p, n);
        break;
    case STORY_NOTE:
        take_note(t, p, n);
        break;
    case STORY_FINDING:
        take_finding(t, p, n);
        break;
    case STORY_STACK:
        take_stack(t, p, n);
        break;
    case STORY_OUTPUT:
        take_output(t, p, n);
        break;
    case STORY_CALLS:
        take_calls(t, p, n);
        break;
    case STORY_MEMORY:
        take_memory(t, p, n);
        break;
    case STORY_CUT:
        if (n >= sizeof t->left_out) {
            uint64_t more;
            memcpy(&more, p, sizeof more);
            t->left_out += more;
            t->left_out_at = t->events.count;
        }
        break;
    case STORY_END:
        if (n >= sizeof t->end) {
            memcpy(&t->end, p, sizeof t->end);
            t->ended = 1;
        }
        break;
    default: /* of a later version */
        break;
    }
}

static int parse(struct tale *t, const char *data, size_t size, const char *name, struct error *e)
{
    struct story_header head;
    if (size < sizeof head)
        return error_set(e, EXIT_USAGE, "%s is not a recording of raddle", name);
    memcpy(&head, data, sizeof head);
    if (head.magic != STORY_MAGIC)
        return error_set(e, EXIT_USAGE, "%s is not a recording of raddle", name);
    if (head.version != STORY_VERSION || head.event_size != sizeof(struct event))
        return error_set(e, EXIT_USAGE, "%s is a recording of version %u; this raddle reads version %u",
                         name, head.version, STORY_VERSION);
    size_t at = sizeof head;
    while (at + sizeof(struct story_record) <= size) {
        struct story_record r;
        memcpy(&r, data + at, sizeof r);
        at += sizeof r;
        if (r.bytes > size - at)
            break; /* the worker died while it wrote */
        take_record(t, r.tag, data + at, r.bytes);
        at += ((size_t)r.bytes + 7) & ~(size_t)7;
    }
    return 0;
}

int tale_read(struct tale *t, int fd, const char *name, struct error *e)
{
    struct sbuf all = {0};
    char part[65536];
    *t = (struct tale){0};
    ssize_t n;
    for (off_t at = 0; (n = pread(fd, part, sizeof part, at)) > 0; at += n)
        sbuf_add(&all, part, (size_t)n);
    int status = n < 0 ? error_set(e, EXIT_USAGE, "cannot read %s: %s", name, strerror(errno))
                       : parse(t, sbuf_str(&all), all.len, name, e);
    sbuf_free(&all);
    if (status)
        tale_free(t);
    return status;
}

void tale_free(struct tale *t)
{
    for (size_t i = 0; i < t->modules.count; i++)
        free(t->modules.items[i].path);
    for (size_t i = 0; i < t->events.count; i++)
        free(t->events.items[i].note);
    for (size_t i = 0; i < t->calls.count; i++) {
        free(t->calls.items[i].pc);
        free(t->calls.items[i].frame);
    }
    for (size_t i = 0; i < t->memory.count; i++)
        free(t->memory.items[i].bytes);
    vec_free(&t->modules);
    vec_free(&t->events);
    vec_free(&t->stacks);
    vec_free(&t->findings);
    vec_free(&t->calls);
    vec_free(&t->memory);
    *t = (struct tale){0};
}

const struct tale_stack *tale_stack(const struct tale *t, const struct tale_finding *f, int thread)
{
    size_t finding = (size_t)(f - t->findings.items);
    for (size_t i = 0; i < t->stacks.count; i++)
        if (t->stacks.items[i].finding == finding && (int)t->stacks.items[i].thread == thread)
            return &t->stacks.items[i];
    return NULL;
}

const struct tale_module *tale_module_at(const struct tale *t, uint64_t address)
{
    for (size_t i = 0; i < t->modules.count; i++)
        if (address >= t->modules.items[i].start && address < t->modules.items[i].end)
            return &t->modules.items[i];
    return NULL;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

char *tale_place(const struct tale *t, uint64_t address)
{
    const struct tale_module *m = tale_module_at(t, address);
    if (!m || m->path[0] == '[')
        return NULL;
    return mem_printf("%s+0x%llx", base_name(m->path), (unsigned long long)(address - m->base));
}

/* 0 if there is no such place. */
static uint64_t address_of(const struct tale *t, const char *place)
{
    const char *plus = place ? strrchr(place, '+') : NULL;
    for (size_t i = 0; plus && i < t->modules.count; i++) {
        const struct tale_module *m = &t->modules.items[i];
        uint64_t address = m->base + strtoull(plus + 1, NULL, 16);
        const char *name = base_name(m->path);
        if (strlen(name) == (size_t)(plus - place) && !strncmp(name, place, (size_t)(plus - place)) &&
            address >= m->start && address < m->end)
            return address;
    }
    return 0;
}

static uint64_t with_a_name(const struct tale *t, uint64_t pc)
{
    const struct tale_module *m = tale_module_at(t, pc);
    return m && m->path[0] != '[' ? pc : 0;
}

int tale_is_finding(const struct tale *t, const struct finding *f, const struct schedule *s)
{
    struct finding_id named = {finding_find(s->kind), address_of(t, s->where), address_of(t, s->other)};
    struct finding_id seen = {f->kind, with_a_name(t, f->pc), with_a_name(t, f->pc2)};
    return finding_same(named, seen);
}

int tale_foreign(const struct tale *t, uint64_t address)
{
    const struct tale_module *m = tale_module_at(t, address);
    if (!m)
        return 1;
    const char *name = base_name(m->path);
    return !strncmp(name, "libraddle-rt", 12) || !strncmp(name, "libc.so", 7) ||
           !strncmp(name, "ld-linux", 8) || !strncmp(name, "libpthread", 10) ||
           !strncmp(name, "libstdc++", 9) || !strncmp(name, "libc++", 6) || !strncmp(name, "libgcc_s", 8) ||
           name[0] == '[';
}
