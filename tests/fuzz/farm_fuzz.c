/* Fuzzing of what comes from a farm's log: farm_fuzz SECONDS SEED KIND FILE…
 *
 * The files are logs of real jobs (tests/farm/log.py); KIND is grove, parts or sampling, what
 * the job's engine needs. Each round applies a log to a ledger from nothing, with some messages changed, cut,
 * doubled, left out or moved. Built with sanitizers: nothing that comes may lead to anything but a message
 * that is refused.
 *
 * Now and then the ledger goes through a snapshot: the round goes on with what was read from it, which must
 * be the same; and a snapshot that was changed is refused, or does no harm either. A round without changes
 * in which this happens must end with the state of one without snapshots. */
#include "base/rng.h"
#include "farm/ledger.h"
#include "farm/snapshot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

typedef VEC(struct work) messages;

static void ignore(void *ctx, uint64_t member, const struct work *bytes)
{
}

static void read_log(messages *m, const char *path)
{
    FILE *f = fopen(path, "rb");
    uint32_t n;
    while (f && fread(&n, sizeof n, 1, f) == 1) {
        struct work w = {.bytes = malloc(n + 1), .length = n, .room = n};
        if (fread(w.bytes, 1, n, f) != n)
            break;
        vec_push(m, w);
    }
    if (f)
        fclose(f);
}

/* A copy of exactly its size, so that reading beyond it is noticed. */
static struct work changed(const struct work *from, struct rng *rng, bool change)
{
    uint64_t n = from->length;
    if (change && !rng_below(rng, 4))
        n = rng_below(rng, n + 1);
    struct work w = {.bytes = malloc(n ? n : 1), .length = n, .room = n};
    memcpy(w.bytes, from->bytes, n);
    for (uint64_t k = change && n ? 1 + rng_below(rng, 4) : 0; k > 0; k--)
        w.bytes[rng_below(rng, n)] = rng_below(rng, 3) ? (unsigned char)rng_below(rng, 256) : 0x7f;
    return w;
}

static const struct ledger_effects none = {NULL, ignore, ignore};
static uint64_t snapshots, refusals;

static void must(bool right, const char *what)
{
    if (!right) {
        printf("%s\n", what);
        exit(1);
    }
}

static struct grove *new_grove(void)
{
    return mmap(NULL, GROVE_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
}

/* What was changed is not the same any more, but still does no harm. */
static void damage(const struct work *snapshot, const struct ledger_job *job, const struct work *next,
                   struct rng *rng)
{
    struct ledger l;
    struct work w = changed(snapshot, rng, true);
    ledger_init(&l, job);
    bool bad = snapshot_read(&l, &w) != 0;
    refusals += bad;
    if (!bad) {
        struct work m = changed(next, rng, false);
        ledger_apply(&l, &m, &none);
        free(m.bytes);
    }
    ledger_free(&l);
    free(w.bytes);
}

/* The ledger is read from its snapshot, into other memory; job: where that is. */
static void through_snapshot(struct ledger *l, struct ledger_job *job, const struct work *next,
                             struct rng *rng)
{
    struct ledger read;
    struct work first = {0}, second = {0};
    struct grove *spare = l->grove;
    snapshot_write(&first, l);
    damage(&first, job, next, rng);
    ledger_init(&read, job);
    must(!snapshot_read(&read, &first), "a snapshot was refused");
    snapshot_write(&second, &read);
    must(first.length == second.length && !memcmp(first.bytes, second.bytes, first.length),
         "the snapshot of a snapshot is another one");
    ledger_free(l);
    *l = read;
    job->grove = spare;
    snapshots++;
    free(first.bytes);
    free(second.bytes);
}

/* The whole log as it is; often: with snapshots. */
static struct work end_of(const messages *log, struct ledger_job job, struct grove *other, bool often,
                          struct rng *rng)
{
    struct ledger l;
    struct work end = {0};
    ledger_init(&l, &job);
    job.grove = other;
    for (size_t i = 0; i < log->count; i++) {
        struct work w = changed(&log->items[i], rng, false);
        ledger_apply(&l, &w, &none);
        free(w.bytes);
        if (often && !rng_below(rng, 1 + (uint32_t)log->count / 20))
            through_snapshot(&l, &job, &log->items[i], rng);
    }
    snapshot_write(&end, &l);
    ledger_free(&l);
    return end;
}

static void same_end(const messages *log, struct ledger_job job, struct grove *other, struct rng *rng)
{
    job.limit = job.sampling ? job.limit : 0;
    struct work plain = end_of(log, job, other, false, rng), often = end_of(log, job, other, true, rng);
    must(plain.length == often.length && !memcmp(plain.bytes, often.bytes, plain.length),
         "snapshots on the way lead to another end");
    free(plain.bytes);
    free(often.bytes);
}

static uint64_t round_of(const messages *log, struct ledger_job job, struct grove *other, struct rng *rng)
{
    struct ledger l;
    bool whole = true;
    ledger_init(&l, &job);
    job.grove = other;
    unsigned rate = 2 + rng_below(rng, 40);
    for (size_t i = 0; i < log->count; i++) {
        bool change = !rng_below(rng, rate);
        if (whole && !rng_below(rng, 1 + (uint32_t)log->count / 2))
            through_snapshot(&l, &job, &log->items[i], rng);
        size_t which = change && !rng_below(rng, 4) ? rng_below(rng, log->count) : i;
        struct work w = changed(&log->items[which], rng, change && which == i);
        ledger_apply(&l, &w, &none);
        free(w.bytes);
        whole &= l.stop != LEDGER_FAILED;
        if (l.stop == LEDGER_FAILED)
            l.stop = LEDGER_GOES_ON; /* a participant would end here; more can be seen if it goes on */
    }
    uint64_t refused = l.refused;
    ledger_free(&l);
    return refused;
}

int main(int argc, char **argv)
{
    if (argc < 5)
        return 64;
    struct ledger_job job = {.limit = 1000, .memory = 64 << 20};
    job.bounds = !strcmp(argv[3], "parts");
    job.sampling = !strcmp(argv[3], "sampling");
    struct grove *other = NULL;
    if (!strcmp(argv[3], "grove")) {
        job.grove = new_grove();
        other = new_grove();
    }
    time_t until = time(NULL) + atoi(argv[1]);
    uint64_t rounds = 0, refused = 0;
    struct rng rng;
    rng_seed(&rng, strtoull(argv[2], NULL, 10));
    messages *logs = calloc((size_t)argc, sizeof *logs);
    for (int i = 4; i < argc; i++)
        read_log(&logs[i - 4], argv[i]);
    for (int i = 4; i < argc; i++)
        same_end(&logs[i - 4], job, other, &rng);
    while (time(NULL) < until)
        refused += round_of(&logs[rounds++ % (uint64_t)(argc - 4)], job, other, &rng);
    printf("%llu rounds, %llu messages refused, %llu snapshots, %llu refused\n", (unsigned long long)rounds,
           (unsigned long long)refused, (unsigned long long)snapshots, (unsigned long long)refusals);
    for (int i = 4; i < argc; i++) {
        for (size_t k = 0; k < logs[i - 4].count; k++)
            free(logs[i - 4].items[k].bytes);
        vec_free(&logs[i - 4]);
    }
    free(logs);
    return rounds && refused && snapshots && refusals ? 0 : 1;
}
