/* The recording of one execution (trace/story.h): every event with its call stack, where every
 * thread stands, the findings. Only replays for a report or a person are recorded, so nothing here
 * needs to be fast. */
#include "rt/abi/access.h"
#include "rt/tell/story.h"

#include "trace/story.h"

#include <link.h>
#include <sys/syscall.h>
#include <unistd.h>

#define TAIL (STORY_LIMIT / 4) /* what is kept whole when the file gets too long */

static char buffer[1 << 16];
static size_t filled;
static uint64_t size; /* of the file */

/* What happens after the finding that the recording is made for is of no interest. */
static struct {
    bool seen;
} wanted;

static struct calls standing[EVENT_MAX_THREADS]; /* where each thread announced its operation */
static uint32_t weak_order; /* of the atomic operation that is told next */

/* The compiler announces a plain write before the program performs it, so what was written is known
 * only at the next thing that is told. */
static struct {
    struct event event;
    uint32_t step;
    struct calls calls;
} unsettled;

static void flush(void)
{
    for (size_t done = 0; done < filled;) {
        long n = syscall(SYS_write, rt.shared->config.record_fd, buffer + done, filled - done);
        if (n <= 0)
            break;
        done += (size_t)n;
    }
    size += filled;
    filled = 0;
}

static void put(const void *data, size_t n)
{
    if (filled + n > sizeof buffer)
        flush();
    rt_copy(buffer + filled, data, n);
    filled += n;
}

static void write_record(enum story_tag tag, const void *head, size_t head_size, const void *rest,
                       size_t rest_size)
{
    static const char zeros[8];
    size_t padding = -(head_size + rest_size) & 7;
    struct story_record r = {.tag = tag, .bytes = (uint32_t)(head_size + rest_size + padding)};
    put(&r, sizeof r);
    put(head, head_size);
    put(rest, rest_size);
    put(zeros, padding);
}

/* ---- the limit ---- */

enum cut { CUT_ACCESSES, CUT_EVENTS }; /* what goes first, and what if that was not enough */

static bool can_go(const struct story_record *r, const void *payload, enum cut cut)
{
    const struct story_event *e = payload;
    if (r->tag == STORY_CUT)
        return true;
    if (r->tag == STORY_EVENT && cut == CUT_ACCESSES)
        return (e->event.flags & EVENT_PLAIN) && (e->event.kind == EV_READ || e->event.kind == EV_WRITE);
    return r->tag == STORY_EVENT || r->tag == STORY_NOTE || r->tag == STORY_OUTPUT;
}

/* One record of the file into `block`; its size, 0 at the end. */
static size_t load(char *block, size_t room, uint64_t at)
{
    struct story_record r;
    long n = syscall(SYS_pread64, rt.shared->config.record_fd, block, room, at);
    if (n < (long)sizeof r)
        return 0;
    rt_copy(&r, block, sizeof r);
    size_t whole = sizeof r + r.bytes;
    return whole <= (size_t)n ? whole : 0;
}

/* Leaves out what can go before the file's tail, moving the rest up. */
static void cut_file(enum cut cut)
{
    static char block[1 << 14]; /* more than any record */
    uint64_t from = sizeof(struct story_header), to = from, left_out = 0, tail = size - TAIL;
    bool told = false;
    for (size_t n; (n = load(block, sizeof block, from)) != 0; from += n) {
        struct story_record *r = (struct story_record *)block;
        if (from >= tail && !told) {
            struct {
                struct story_record record;
                uint64_t left_out;
            } mark = {{STORY_CUT, sizeof left_out}, left_out};
            syscall(SYS_pwrite64, rt.shared->config.record_fd, &mark, sizeof mark, to);
            to += sizeof mark;
            told = true;
        }
        if (from < tail && can_go(r, r + 1, cut)) {
            left_out += r->tag == STORY_CUT ? *(uint64_t *)(r + 1) : 1;
            continue;
        }
        syscall(SYS_pwrite64, rt.shared->config.record_fd, block, n, to);
        to += n;
    }
    size = to;
    syscall(SYS_ftruncate, rt.shared->config.record_fd, size);
    syscall(SYS_lseek, rt.shared->config.record_fd, size, SEEK_SET);
}

static void put_record(enum story_tag tag, const void *head, size_t head_size, const void *rest,
                       size_t rest_size)
{
    write_record(tag, head, head_size, rest, rest_size);
    if (size + filled <= STORY_LIMIT)
        return;
    flush();
    cut_file(CUT_ACCESSES);
    if (size > STORY_LIMIT / 2)
        cut_file(CUT_EVENTS);
}

/* ---- what is told ---- */

void story_put_calls(const struct story_frame *frame, uint32_t frames)
{
    struct story_calls head = {.frames = frames};
    put_record(STORY_CALLS, &head, sizeof head, frame, frames * sizeof *frame);
}

static int put_module(struct dl_phdr_info *info, size_t size, void *arg)
{
    struct {
        uint64_t base, start, end;
    } m = {.base = info->dlpi_addr, .start = ~0ull};
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        if (p->p_type != PT_LOAD)
            continue;
        if (m.base + p->p_vaddr < m.start)
            m.start = m.base + p->p_vaddr;
        if (m.base + p->p_vaddr + p->p_memsz > m.end)
            m.end = m.base + p->p_vaddr + p->p_memsz;
    }
    char self[4096];
    const char *path = info->dlpi_name;
    if (!path || !path[0]) {
        long n = syscall(SYS_readlink, "/proc/self/exe", self, sizeof self - 1);
        self[n > 0 ? n : 0] = 0;
        path = self;
    }
    size_t n = 0;
    while (path[n])
        n++;
    put_record(STORY_MODULE, &m, sizeof m, path, n + 1);
    return 0;
}

/* Stacks are told as modules "[stack N]", so that what is on one gets a name; and so are objects outside
 * of memory, as "[object NAME@PC]", with where they were made. */
static struct tset told;

static void put_range(uint64_t start, uint64_t size, const char *path)
{
    uint64_t m[3] = {start, start, start + size};
    size_t n = 0;
    while (path[n])
        n++;
    put_record(STORY_MODULE, m, sizeof m, path, n + 1);
}

static void put_stack(const struct thread *t)
{
    char path[32];
    tset_add(&told, t->id);
    rt_format(path, sizeof path, "[stack %d]", t->id);
    put_range((uintptr_t)t->stack, t->stack_size, path);
}

void story_name(uint64_t object, uint32_t size, const char *name)
{
    char path[300];
    struct calls c;
    calls_take(&c);
    if (c.frames)
        rt_format(path, sizeof path, "[object %s@%#lx]", name, c.frame[0].pc);
    else
        rt_format(path, sizeof path, "[object %s]", name);
    put_range(object, size, path);
}

void story_begin(void)
{
    struct story_header h = {
        .magic = STORY_MAGIC, .version = STORY_VERSION, .event_size = sizeof(struct event)};
    /* An execution that is followed again (more thread slots were needed) is told from the start. */
    filled = size = 0;
    syscall(SYS_ftruncate, rt.shared->config.record_fd, 0);
    syscall(SYS_lseek, rt.shared->config.record_fd, 0, SEEK_SET);
    wanted.seen = false;
    put(&h, sizeof h);
    dl_iterate_phdr(put_module, NULL);
    told = (struct tset){{0}};
    rt_fill(standing, 0, sizeof standing);
    unsettled.event.kind = EV_NONE;
    weak_order = 0;
    calls_begin();
    story_output_begin();
}

static void put_event(const struct event *ev, uint32_t step, uint32_t order, const struct calls *c)
{
    struct story_event head = {*ev, step, calls_number(c, ev->pc), order, 0};
    put_record(STORY_EVENT, &head, sizeof head, NULL, 0);
    if (!(ev->flags & EVENT_PLAIN))
        flush(); /* the program may take the whole process down next */
}

static void settle(void)
{
    struct event *e = &unsettled.event;
    if (e->kind == EV_NONE)
        return;
    e->value = access_peek(e->object, e->size);
    put_event(e, unsettled.step, 0, &unsettled.calls);
    e->kind = EV_NONE;
}

void story_announce(void)
{
    if (wanted.seen)
        return;
    settle();
    story_output(false);
    if (!tset_has(&told, rt.current))
        put_stack(rt.self);
    calls_take(&standing[rt.current]);
}

void story_order(int order)
{
    weak_order = (uint32_t)order + 1;
}

void story_event(const struct event *ev)
{
    struct calls c;
    uint32_t order = weak_order;
    weak_order = 0;
    if (wanted.seen)
        return;
    calls_take(&c);
    settle();
    story_output(ev->flags & EVENT_PLAIN);
    if (ev->kind != EV_WRITE) {
        put_event(ev, rt.trace->step_count, order, &c);
        return;
    }
    unsettled.event = *ev;
    unsettled.step = rt.trace->step_count;
    unsettled.calls = c;
}

void story_put_output(const char *text, size_t n)
{
    uint64_t thread = (uint64_t)rt.current;
    put_record(STORY_OUTPUT, &thread, sizeof thread, text, n);
}

void story_note(const char *text)
{
    uint64_t thread = (uint64_t)rt.current;
    size_t n = 0;
    if (wanted.seen)
        return;
    settle();
    while (text[n])
        n++;
    put_record(STORY_NOTE, &thread, sizeof thread, text, n + 1);
}

/* What is on the stack of the failing thread, in its innermost functions. */
static void put_memory(const struct calls *c)
{
    enum { MOST = 4096 };
    uint64_t from = c->frames ? c->frame[0].sp : 0, to = from;
    for (uint32_t i = 0; i < c->frames && c->frame[i].base >= from && c->frame[i].base - from < MOST; i++)
        to = c->frame[i].base;
    if (to > from)
        put_record(STORY_MEMORY, &from, sizeof from, (const void *)(uintptr_t)from, to - from);
}

static void put_registers(void)
{
    uint64_t at = STORY_REGISTERS_AT;
    put_record(STORY_MEMORY, &at, sizeof at, assert_registers, sizeof assert_registers);
}

void story_finding(const struct finding *f)
{
    if (wanted.seen)
        return;
    if (!tset_has(&told, rt.current))
        put_stack(rt.self);
    calls_take(&standing[rt.current]);
    settle();
    story_output(false);
    put_record(STORY_FINDING, f, sizeof *f, NULL, 0);
    put_memory(&standing[rt.current]);
    if (f->kind == FINDING_ASSERT)
        put_registers();
    for (int t = 0; t < rt.threads; t++) {
        const struct calls *c = &standing[t];
        struct story_stack head = {(uint32_t)t, 0, rt.next[t]};
        if (!tset_has(&rt.live, t))
            continue;
        head.calls = calls_number(c, c->frames ? c->frame[0].pc : head.next.pc);
        put_record(STORY_STACK, &head, sizeof head, NULL, 0);
    }
    flush();
    wanted.seen = finding_same(finding_id(f), rt.shared->config.target);
}

void story_end(enum outcome o)
{
    settle();
    story_output(false);
    struct story_end e = {
        .outcome = o, .steps = rt.trace->step_count, .events = rt.trace->event_count};
    put_record(STORY_END, &e, sizeof e, NULL, 0);
    flush();
}
