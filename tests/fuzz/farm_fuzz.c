/* Fuzzing of what comes from a farm's log: farm_fuzz SECONDS SEED KIND FILE…
 *
 * The files are logs of real jobs (tests/farm/log.py); KIND is grove, parts or sampling, what
 * the job's engine needs. Each round applies a log to a ledger from nothing, with some messages changed, cut,
 * doubled, left out or moved. Built with sanitizers: nothing that comes may lead to anything but a message
 * that is refused. */
#include "base/rng.h"
#include "farm/ledger.h"

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

static uint64_t round_of(const messages *log, const struct ledger_job *job, struct rng *rng)
{
    const struct ledger_effects none = {NULL, ignore, ignore};
    struct ledger l;
    ledger_init(&l, job);
    unsigned rate = 2 + rng_below(rng, 40);
    for (size_t i = 0; i < log->count; i++) {
        bool change = !rng_below(rng, rate);
        size_t which = change && !rng_below(rng, 4) ? rng_below(rng, log->count) : i;
        struct work w = changed(&log->items[which], rng, change && which == i);
        ledger_apply(&l, &w, &none);
        free(w.bytes);
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
    if (!strcmp(argv[3], "grove"))
        job.grove = mmap(NULL, GROVE_SIZE, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    time_t until = time(NULL) + atoi(argv[1]);
    uint64_t rounds = 0, refused = 0;
    struct rng rng;
    rng_seed(&rng, strtoull(argv[2], NULL, 10));
    messages *logs = calloc((size_t)argc, sizeof *logs);
    for (int i = 4; i < argc; i++)
        read_log(&logs[i - 4], argv[i]);
    while (time(NULL) < until)
        refused += round_of(&logs[rounds++ % (uint64_t)(argc - 4)], &job, &rng);
    printf("%llu rounds, %llu messages refused\n", (unsigned long long)rounds, (unsigned long long)refused);
    for (int i = 4; i < argc; i++) {
        for (size_t k = 0; k < logs[i - 4].count; k++)
            free(logs[i - 4].items[k].bytes);
        vec_free(&logs[i - 4]);
    }
    free(logs);
    return rounds && refused ? 0 : 1;
}
