/* The ledger of a farm: what is delivered twice counts once, what a lost member had goes to another,
 * and whatever comes from the wire, nothing is believed that is not well-formed. */
#include "farm/ledger.h"

#include "base/rng.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <cmocka.h>

static struct {
    int given, answered;
    uint64_t member, first, count;
} seen;

static void answered(void *ctx, uint64_t member, const struct work *answer)
{
    seen.answered++;
}

static void given(void *ctx, uint64_t member, const struct work *item)
{
    struct work w = *item;
    seen.given++;
    seen.member = member;
    if (work_open(&w) == WORK_RANGE) {
        seen.first = work_get(&w);
        seen.count = work_get(&w);
    }
}

static const struct ledger_effects effects = {NULL, answered, given};

static int tell(struct ledger *l, const struct ledger_post *p)
{
    struct work message = {0};
    ledger_write_post(&message, p);
    int bad = ledger_apply(l, &message, &effects);
    free(message.bytes);
    return bad;
}

static struct ledger_post dry(uint64_t participant, uint64_t number, uint64_t executions)
{
    return (struct ledger_post){.member = ledger_member(participant, 0), .number = number, .dry = true,
                                .wanted = 10, .counted.executions = executions};
}

static void counts_once(void **state)
{
    struct ledger l;
    struct ledger_post a = dry(1, 1, 0), b = dry(2, 1, 0), more = dry(1, 2, 10);
    memset(&seen, 0, sizeof seen);
    ledger_init(&l, &(struct ledger_job){.sampling = true, .limit = 25});
    assert_int_equal(tell(&l, &a), 0);
    assert_int_equal(tell(&l, &b), 0);
    assert_int_equal(seen.given, 2);
    assert_int_equal(seen.first, 10);
    for (int i = 0; i < 3; i++)
        assert_int_equal(tell(&l, &more), 0); /* delivered three times */
    assert_int_equal(l.counted.executions, 10);
    assert_int_equal(seen.given, 3);
    assert_int_equal(seen.count, 5);
    ledger_free(&l);
}

static void lost_work_goes_to_another(void **state)
{
    struct ledger l;
    struct work gone = {0};
    struct ledger_post a = dry(1, 1, 0), b = dry(2, 1, 0), late = dry(1, 2, 10), done = dry(2, 2, 10);
    memset(&seen, 0, sizeof seen);
    ledger_init(&l, &(struct ledger_job){.sampling = true, .limit = 10});
    tell(&l, &a);
    tell(&l, &b);
    assert_int_equal(seen.given, 1);
    ledger_write_gone(&gone, 1);
    assert_int_equal(ledger_apply(&l, &gone, &effects), 0);
    assert_int_equal(seen.given, 2);
    assert_int_equal(seen.member, ledger_member(2, 0));
    tell(&l, &late); /* it was only slow: others have its work by now */
    assert_int_equal(l.counted.executions, 0);
    assert_false(ledger_finished(&l));
    tell(&l, &done);
    assert_int_equal(l.counted.executions, 10);
    assert_true(ledger_finished(&l));
    free(gone.bytes);
    ledger_free(&l);
}

static uint32_t given_leaf;

static void given_one(void *ctx, uint64_t member, const struct work *item)
{
    struct work w = *item;
    seen.given++;
    assert_int_equal(work_open(&w), WORK_LEAVES);
    work_get(&w);
    given_leaf = (uint32_t)work_get(&w);
}

/* A checkpoint in the middle of a leaf is what is left of it: a message that says that a leaf was done must
 * not make it the whole leaf again while it is not, or what was counted of it would be counted again. */
static void part_of_a_leaf_stays_one(void **state)
{
    static const struct ledger_effects one = {NULL, answered, given_one};
    struct ledger l;
    unsigned char room[64];
    struct work item = {.bytes = room, .room = sizeof room}, message = {0};
    struct ledger_job job = {.memory = 1 << 20};
    job.grove = mmap(NULL, GROVE_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                     -1, 0);
    assert_ptr_not_equal(job.grove, MAP_FAILED);
    ledger_init(&l, &job);
    struct ledger_post first = dry(1, 1, 0);
    ledger_write_post(&message, &first);
    ledger_apply(&l, &message, &one);
    assert_int_equal(given_leaf, GROVE_WHOLE);
    grove_item(&item, given_leaf);
    struct ledger_post save = {.member = first.member, .number = 2, .counted.executions = 7, .item = item};
    assert_int_equal(tell(&l, &save), 0);
    struct ledger_post stale = {.member = first.member, .number = 3, .boundary = true};
    assert_int_equal(tell(&l, &stale), -1);
    assert_int_equal(l.stop, LEDGER_FAILED);
    assert_true(ledger_find(&l, first.member)->item.length > 0);
    free(message.bytes);
    ledger_free(&l);
    munmap(job.grove, GROVE_SIZE);
}

static void put_step(struct work *w, uint8_t thread, uint64_t with)
{
    work_put(w, 0);
    work_put(w, 0);
    work_put_act(w, &(struct act){.thread = thread, .role = ROLE_NONE});
    work_put(w, with << 1);
}

static void put_all(struct work *w, const uint64_t *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        work_put(w, numbers[i]);
}

/* The whole search becomes what thread 1 does first, which stays with the member, and four leaves. */
static void split_in_five(struct ledger *l, uint64_t member)
{
    unsigned char room[256];
    struct work mail = {.bytes = room, .room = sizeof room};
    work_begin(&mail, WORK_TOLD);
    put_all(&mail, (uint64_t[]){TELL_SPLIT, GROVE_WHOLE, 0, 1, 0}, 5);
    put_step(&mail, 1, 1); /* performed */
    put_step(&mail, 2, 1); /* another one follows */
    put_step(&mail, 3, 1);
    put_step(&mail, 4, 1);
    put_step(&mail, 5, 0);
    struct ledger_post p = {.member = member, .number = 2, .mail = mail};
    assert_int_equal(tell(l, &p), 0);
}

/* The member says that so many of its leaves are done. */
static int pass(struct ledger *l, uint64_t member, uint64_t number, uint64_t count)
{
    unsigned char room[64];
    struct work mail = {.bytes = room, .room = sizeof room};
    work_begin(&mail, WORK_TOLD);
    put_all(&mail, (uint64_t[]){TELL_PASSED, ledger_find(l, member)->leaves.items[0], count, 20}, 4);
    struct ledger_post p = {.member = member, .number = number, .boundary = true,
                            .counted.executions = 20, .mail = mail};
    return tell(l, &p);
}

/* Leaves are done together, in the order that they were given; no more than the member has. */
static void leaves_are_done_together(void **state)
{
    struct ledger l;
    struct ledger_job job = {.memory = 1 << 20};
    struct ledger_post first = dry(1, 1, 0), second = dry(2, 1, 0);
    job.grove = mmap(NULL, GROVE_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                     -1, 0);
    assert_ptr_not_equal(job.grove, MAP_FAILED);
    ledger_init(&l, &job);
    tell(&l, &first);
    split_in_five(&l, first.member);
    tell(&l, &second);
    assert_int_equal(ledger_find(&l, second.member)->leaves.count, 3);
    uint32_t last = ledger_find(&l, second.member)->leaves.items[2];
    assert_int_equal(pass(&l, second.member, 2, 2), 0);
    assert_int_equal(ledger_find(&l, second.member)->leaves.count, 1);
    assert_int_equal(ledger_find(&l, second.member)->leaves.items[0], last);
    assert_int_equal(l.counted.executions, 20);
    assert_int_equal(pass(&l, second.member, 3, 2), -1);
    assert_int_equal(l.counted.executions, 20);
    assert_int_equal(ledger_find(&l, second.member)->leaves.count, 1);
    ledger_free(&l);
    munmap(job.grove, GROVE_SIZE);
}

/* Messages of all kinds, cut short and with bytes changed. */
static void nothing_is_believed(void **state)
{
    struct lessons lessons = {.count = 1, .items = {{1, 2}}};
    uint64_t racy[] = {0x1000, 0x2000};
    struct finding f = {.kind = FINDING_ASSERT, .pc = 7, .racy_count = 2, .message = "assertion failed"};
    struct step steps[] = {{.pick = 1}, {.pick = 2}};
    struct ledger_news news = {2, racy, &lessons, 0, 0};
    struct rng rng;
    rng_seed(&rng, 1);
    for (int round = 0; round < 30000; round++) {
        struct ledger l;
        struct work m = {0}, part = {0};
        struct ledger_post p = dry(1, 1, 3);
        unsigned char mail[] = {0xc4, 0xa4, 0x01, 0x01, 2, 0, 0, 1, 0, 0, 1, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0};
        p.mail = (struct work){.bytes = mail, .length = sizeof mail, .room = sizeof mail};
        ledger_init(&l, &(struct ledger_job){.sampling = round & 1, .limit = 100});
        struct ledger_post first = dry(1, 1, 0);
        tell(&l, &first);
        p.number = 2;
        switch (round % 4) {
        case 0: ledger_write_post(&m, &p); break;
        case 1: ledger_write_news(&m, 0, &news); break;
        case 2: ledger_write_found(&m, 0, &f, steps, 2, racy, ""); break;
        default: ledger_write_stop(&m, 0, LEDGER_BUG, "why", &(struct counters){.executions = 1});
        }
        part = m;
        part.length = rng_below(&rng, (uint32_t)m.length + 1);
        if (round % 3 && part.length)
            part.length = m.length;
        for (uint32_t n = rng_below(&rng, 4); n > 0 && part.length; n--)
            part.bytes[rng_below(&rng, (uint32_t)part.length)] = (unsigned char)rng_below(&rng, 256);
        ledger_apply(&l, &part, &effects);
        assert_true(l.counted.executions <= 1ull << 60 || l.applied);
        free(m.bytes);
        ledger_free(&l);
    }
}

static void found_at(struct ledger *l, uint64_t pc)
{
    struct finding f = {.kind = FINDING_ASSERT, .pc = pc};
    struct step step = {.pick = 1};
    struct work m = {0};
    ledger_write_found(&m, 0, &f, &step, 1, NULL, "");
    assert_int_equal(ledger_apply(l, &m, &effects), 0);
    free(m.bytes);
}

/* Findings beyond the table make the verdict incomplete; the same one told again does not. */
static void too_many_findings(void **state)
{
    struct ledger l;
    ledger_init(&l, &(struct ledger_job){0});
    for (uint32_t i = 0; i < SHARED_FINDINGS; i++)
        found_at(&l, 7 + i);
    found_at(&l, 7);
    assert_int_equal(l.limits.reached, 0);
    found_at(&l, 7 + SHARED_FINDINGS);
    assert_int_equal(l.findings.count, SHARED_FINDINGS);
    assert_int_equal(l.limits.reached, 1ull << LIMIT_FINDINGS);
    ledger_free(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(counts_once),
                                       cmocka_unit_test(too_many_findings),
                                       cmocka_unit_test(lost_work_goes_to_another),
                                       cmocka_unit_test(part_of_a_leaf_stays_one),
        cmocka_unit_test(leaves_are_done_together),
                                       cmocka_unit_test(nothing_is_believed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
