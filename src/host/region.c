#include "host/region.h"

#include "base/ensure.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define NAMES_MAX 4096

static struct shared *map_at(int fd, uint64_t where)
{
    int flags = MAP_SHARED | MAP_NORESERVE | (where ? MAP_FIXED_NOREPLACE : 0);
    void *p = mmap((void *)where, SHARED_SIZE, PROT_READ | PROT_WRITE, flags, fd, 0);
    return p == MAP_FAILED ? NULL : p;
}

/* Pointers inside the region are the worker's: it is laid out at the worker's address. */
static int lay_out(int fd, const struct run_config *config)
{
    struct shared *s = map_at(fd, SHARED_BASE);
    if (!s)
        return -1;
    shared_init(s, config->max_steps);
    s->config = *config;
    return munmap(s, SHARED_SIZE);
}

/* Without one, an engine that runs out of memory says so. */
int region_scratch(void)
{
    const char *folder = getenv("TMPDIR");
    return open(folder && *folder ? folder : "/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
}

/* The smallest number that no other region on this machine has now. Names of temporary files are made with
 * it, so two programs that run at once do not meet in one file, and one that runs alone has the same names
 * every time. Kept by a name among the abstract sockets: it is free when whoever holds it has ended. */
static int take_number(uint32_t *number)
{
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    for (*number = 0; fd >= 0 && *number < NAMES_MAX; ++*number) {
        int n = snprintf(name.sun_path + 1, sizeof name.sun_path - 1, "raddle-names-%u", *number);
        socklen_t length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)n);
        if (bind(fd, (struct sockaddr *)&name, length) == 0)
            return fd;
        if (errno != EADDRINUSE)
            break;
    }
    *number = 0;
    if (fd >= 0)
        close(fd);
    return -1;
}

int region_create(struct region *r, const struct run_config *config, struct error *e)
{
    *r = (struct region){.fd = memfd_create("raddle", MFD_CLOEXEC), .spill = region_scratch(),
                         .traces = -1, .names = -1};
    if (r->fd < 0 || ftruncate(r->fd, SHARED_SIZE) || lay_out(r->fd, config) ||
        !(r->shared = map_at(r->fd, 0))) {
        error_set(e, EXIT_INTERNAL, "cannot set up shared memory: %s", strerror(errno));
        error_todo(e, "raddle reserves %llu GiB of address space; check ulimit -v and ulimit -f",
                   SHARED_SIZE >> 30);
        region_free(r);
        return -1;
    }
    r->names = take_number(&r->shared->names);
    return 0;
}

void region_free(struct region *r)
{
    if (r->shared)
        munmap(r->shared, SHARED_SIZE);
    if (r->fd >= 0)
        close(r->fd);
    if (r->spill >= 0)
        close(r->spill);
    if (r->traces >= 0)
        close(r->traces);
    if (r->names >= 0)
        close(r->names);
    *r = (struct region){.fd = -1, .spill = -1, .traces = -1, .names = -1};
}

void *region_at(const struct region *r, const void *p, size_t bytes)
{
    ensure(r->shared != NULL);
    uint64_t offset = (uint64_t)p - SHARED_BASE;
    if ((uint64_t)p < SHARED_BASE || bytes > SHARED_SIZE || offset > SHARED_SIZE - bytes)
        return NULL;
    return (char *)r->shared + offset;
}

const struct step *region_steps(const struct region *r, const struct finding *f, uint32_t *count)
{
    const struct step *steps = region_at(r, f->steps, f->step_count * sizeof *f->steps);
    *count = steps ? f->step_count : 0;
    return steps;
}

int region_put_steps(struct region *r, const struct step *steps, uint32_t count, struct error *e)
{
    ensure(steps || !count);
    struct trace *t = &r->shared->trace;
    if (count > t->step_room)
        return error_set(e, EXIT_USAGE, "the schedule has %u steps, more than --max-steps allows", count);
    struct step *to = region_at(r, t->steps, count * sizeof *steps);
    if (!to)
        error_fatal("the trace lies outside of the shared memory");
    if (count)
        memcpy(to, steps, count * sizeof *steps);
    t->step_count = count;
    return 0;
}

static int terminated(char *text, size_t size)
{
    int was = memchr(text, 0, size) != NULL;
    text[size - 1] = 0;
    return was;
}

static int finding_intact(const struct region *r, struct finding *f)
{
    int good = f->kind < FINDING_KINDS && f->thread < EVENT_MAX_THREADS &&
               f->fact_count <= FINDING_FACTS && f->racy_count <= SHARED_RACY &&
               terminated(f->message, sizeof f->message) &&
               (!f->step_count || region_at(r, f->steps, f->step_count * sizeof *f->steps));
    for (uint32_t i = 0; good && i < f->fact_count; i++)
        good = terminated(f->facts[i].word, sizeof f->facts[i].word) && f->facts[i].kind < FACT_KINDS;
    return good;
}

/* What a worker may change in its configuration: the descriptors, and how executions are isolated. */
static int config_intact(const struct run_config *now, const struct run_config *then)
{
    struct run_config c = *now;
    c.record_fd = then->record_fd;
    c.spill_fd = then->spill_fd;
    c.team_fd = then->team_fd;
    c.budget_fd = then->budget_fd;
    c.traces_fd = then->traces_fd;
    c.isolate = then->isolate;
    return !memcmp(&c, then, sizeof c);
}

static int work_intact(const struct region *r, const struct work *w)
{
    return w->length <= w->room && region_at(r, w->bytes, w->room);
}

static int passing_intact(const struct outbox *o)
{
    const struct outbox_passed *p = o->passing;
    return o->passing_now < 2 && p[0].first <= OUTBOX_LEAVES && p[0].count <= OUTBOX_LEAVES - p[0].first &&
           p[1].first <= OUTBOX_LEAVES && p[1].count <= OUTBOX_LEAVES - p[1].first;
}

static int exchange_intact(const struct region *r)
{
    const struct exchange *x = &r->shared->exchange;
    return x->ticket < 4 && x->post <= POST_PAUSED && work_intact(r, &x->mail) &&
           work_intact(r, &x->answer) && work_intact(r, &x->outbox.told) &&
           x->outbox.count <= OUTBOX_LEAVES && passing_intact(&x->outbox) &&
           work_intact(r, &x->checkpoints[0].item) && work_intact(r, &x->checkpoints[1].item);
}

int region_intact(struct region *r, const struct run_config *config)
{
    ensure(r->shared != NULL);
    struct shared *s = r->shared;
    const struct trace *t = &s->trace;
    int good = s->magic == SHARED_MAGIC && s->version == SHARED_VERSION &&
               config_intact(&s->config, config) && s->phase <= PHASE_DONE &&
               s->racy_count <= SHARED_RACY && s->finding_count <= SHARED_FINDINGS &&
               s->lost.count <= SHARED_LOST && s->limits.reached >> LIMITS == 0 &&
               s->warning_count <= SHARED_WARNINGS && t->step_count <= t->step_room &&
               t->event_count <= t->event_room &&
               region_at(r, t->steps, t->step_room * sizeof *t->steps) &&
               region_at(r, t->events, t->event_room * sizeof *t->events) &&
               exchange_intact(r) && terminated(s->incomplete, sizeof s->incomplete) &&
               terminated(s->internal, sizeof s->internal) &&
               terminated(s->divergence, sizeof s->divergence);
    for (uint32_t i = 0; good && i < s->finding_count; i++)
        good = finding_intact(r, &s->findings[i]);
    for (uint32_t i = 0; good && i < s->warning_count; i++)
        good = terminated(s->warnings[i].text, sizeof s->warnings[i].text);
    return good;
}

void region_add_finding(struct region *r, const struct finding *f, const struct step *steps,
                        const uint64_t *racy, const char *inputs)
{
    ensure(f->racy_count <= SHARED_RACY);
    struct shared *s = r->shared;
    for (uint32_t i = 0; i < s->finding_count && i < SHARED_FINDINGS; i++)
        if (finding_same(finding_id(&s->findings[i]), finding_id(f)))
            return;
    size_t step_bytes = f->step_count * sizeof *steps, racy_bytes = f->racy_count * sizeof *racy;
    bool room = s->finding_count < SHARED_FINDINGS;
    char *to = room ? arena_alloc(&s->finding_arena, step_bytes + racy_bytes + 8) : NULL;
    if (!to) {
        shared_lose(s, finding_id(f));
        return;
    }
    struct finding *own = &s->findings[s->finding_count];
    *own = *f;
    own->racy = (uint64_t *)to;
    own->steps = (struct step *)(to + racy_bytes);
    if (racy_bytes)
        memcpy(region_at(r, own->racy, racy_bytes), racy, racy_bytes);
    if (step_bytes)
        memcpy(region_at(r, own->steps, step_bytes), steps, step_bytes);
    snprintf(s->finding_inputs[s->finding_count], SHARED_INPUTS, "%s", inputs);
    s->finding_count++;
}

struct work region_work(const struct region *r, const struct work *w)
{
    struct work here = *w;
    here.bytes = region_at(r, w->bytes, w->room);
    if (!here.bytes || here.length > here.room)
        here.length = here.room = 0;
    return here;
}

bool region_put_work(const struct region *r, struct work *to, const struct work *from)
{
    ensure(from->length <= from->room);
    struct work here = region_work(r, to);
    if (from->length > here.room)
        return false;
    memcpy(here.bytes, from->bytes, from->length);
    to->length = from->length;
    return true;
}
