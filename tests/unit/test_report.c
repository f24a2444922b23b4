/* Reports from synthetic recordings: the golden texts in tests/golden/report-*.txt, the JSON, the
 * output folder written and read back, damaged recordings. RADDLE_UPDATE=1 rewrites the texts. */
#include "report/report.h"
#include "report/style.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#define X 0x1000
#define LOCK_A 0x2000
#define LOCK_B 0x2040

static int story;

static void put(const void *p, size_t n)
{
    assert_int_equal(write(story, p, n), n);
}

static void put_record(enum story_tag tag, const void *head, size_t head_size, const void *rest,
                       size_t rest_size)
{
    static const char zeros[8];
    struct story_record r = {.tag = tag, .bytes = (uint32_t)(head_size + rest_size)};
    put(&r, sizeof r);
    put(head, head_size);
    put(rest, rest_size);
    put(zeros, -(head_size + rest_size) & 7);
}

static void begin(void)
{
    struct story_header h = {
        .magic = STORY_MAGIC, .version = STORY_VERSION, .event_size = sizeof(struct event)};
    story = memfd_create("story", 0);
    put(&h, sizeof h);
}

static void event(int thread, enum event_kind kind, uint64_t object, uint64_t value, uint64_t other)
{
    struct story_event e = {.event = {.kind = (uint8_t)kind,
                                      .thread = (uint16_t)thread,
                                      .object = object,
                                      .size = 4,
                                      .value = value,
                                      .other = other,
                                      .pc = 0x400000}};
    put_record(STORY_EVENT, &e, sizeof e, NULL, 0);
}

static void note(uint64_t thread, const char *text)
{
    put_record(STORY_NOTE, &thread, sizeof thread, text, strlen(text) + 1);
}

static void stack(int thread, enum event_kind kind, uint64_t object)
{
    struct story_stack s = {.thread = (uint32_t)thread,
                            .next = {.kind = (uint8_t)kind, .object = object, .pc = 0x400000}};
    put_record(STORY_STACK, &s, sizeof s, NULL, 0);
}

static struct finding fact(struct finding f, enum fact_kind kind, int thread, uint64_t object)
{
    f.facts[f.fact_count++] = (struct fact){.kind = (uint16_t)kind, .thread = (uint16_t)thread,
                                            .object = object, .pc = 0x400000, .number = 1, .word = "mutex"};
    return f;
}

static struct finding found(enum finding_kind kind, int thread, uint64_t object, const char *message)
{
    struct finding f = {.kind = kind, .thread = (uint16_t)thread, .object = object, .pc = 0x400000};
    snprintf(f.message, sizeof f.message, "%s", message);
    return f;
}

static void put_finding(const struct finding *f)
{
    put_record(STORY_FINDING, f, sizeof *f, NULL, 0);
}

/* A report with the finding of the recording written so far. */
static struct report finish(const char *kind)
{
    struct report r = {.executions = 1234, .events = 56789, .seconds = 1.5, .seed = 7, .complete = 0};
    struct report_finding f = {0};
    struct story_end end = {0};
    put_record(STORY_END, &end, sizeof end, NULL, 0);
    assert_int_equal(tale_read(&f.tale, story, "story", NULL), 0);
    close(story);
    r.verdict = mem_strdup("bug");
    r.engine = mem_strdup("dfs");
    r.program = mem_strdup("/home/me/prog");
    r.finding_count = 1;
    f.schedule.program = mem_strdup(r.program);
    f.schedule.kind = mem_strdup(kind);
    f.schedule.location = mem_strdup("prog.c:12");
    f.schedule.message = mem_strdup(f.tale.findings.items[0].finding.message);
    f.schedule.preemptions = 1;
    f.schedule.counted = 1;
    for (int i = 0; i < 5; i++)
        vec_push(&f.schedule.steps, ((struct step){.pick = (uint16_t)(i / 2)}));
    f.file = mem_strdup("raddle-out/prog-1");
    vec_push(&r.findings, f);
    return r;
}

static struct report deadlock(void)
{
    begin();
    event(0, EV_CREATE, 1, 0, 0);
    event(0, EV_CREATE, 2, 0, 0);
    event(1, EV_LOCK, LOCK_A, 1, 0);
    event(1, EV_WRITE, X, (uint64_t)-3, 0);
    event(2, EV_LOCK, LOCK_B, 1, 0);
    note(2, "has b");
    struct finding f = found(FINDING_DEADLOCK, 1, 0, "deadlock: no thread can go on");
    f = fact(f, FACT_WAITS_FOR_HELD, 1, LOCK_B);
    f.facts[f.fact_count - 1].other = 2 + 1;
    f = fact(f, FACT_HOLDS, 2, LOCK_B);
    f = fact(f, FACT_WAITS_FOR_HELD, 2, LOCK_A);
    f.facts[f.fact_count - 1].other = 1 + 1;
    f = fact(f, FACT_HOLDS, 1, LOCK_A);
    put_finding(&f);
    stack(0, EV_JOIN, 1);
    stack(1, EV_LOCK, LOCK_B);
    stack(2, EV_LOCK, LOCK_A);
    return finish("deadlock");
}

/* Many steps of no interest around a race on X. */
static struct report long_race(void)
{
    begin();
    for (int t = 1; t <= 3; t++)
        event(0, EV_CREATE, (uint64_t)t, 0, 0);
    for (int i = 0; i < 100; i++)
        event(1 + i % 3, EV_LOAD, 0x5000 + 8 * (uint64_t)i, (uint64_t)i, 0);
    event(2, EV_WRITE, X, 1, 0);
    for (int i = 0; i < 50; i++)
        event(3, EV_LOAD, 0x6000, 0, 0);
    event(1, EV_COND_SIGNAL, 0x7000, 0, 0);
    event(1, EV_SLEEP, 0, 1500000, 0);
    struct finding f = found(FINDING_RACE, 3, X, "data race on {}: a write and a read, not ordered");
    f = fact(f, FACT_HAS_WRITTEN, 2, X);
    f = fact(f, FACT_READS, 3, X);
    put_finding(&f);
    return finish("race");
}

static struct report heap(void)
{
    begin();
    event(0, EV_ALLOC, 0x9000, 0, 0);
    event(0, EV_CREATE, 1, 0, 0);
    event(1, EV_FREE, 0x9000, 0, 0);
    struct finding f = found(FINDING_HEAP, 0, 0x9002, "use after free of {}");
    f = fact(f, FACT_ACCESSES, 0, 0x9002);
    snprintf(f.facts[0].word, sizeof f.facts[0].word, "write");
    put_finding(&f);
    return finish("heap");
}

static void against(const char *name, const struct report *r, int colour)
{
    char path[512], *top = getenv("TOP"), *want = mem_alloc(65536);
    struct sbuf out = {0};
    report_text(r, (struct style){.width = 90, .colour = colour}, &out);
    snprintf(path, sizeof path, "%s/tests/golden/report-%s.txt", top ? top : ".", name);
    if (getenv("RADDLE_UPDATE")) {
        FILE *f = fopen(path, "w");
        fputs(sbuf_str(&out), f);
        fclose(f);
    }
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    assert_true(fread(want, 1, 65535, f) > 0);
    fclose(f);
    assert_string_equal(sbuf_str(&out), want);
    free(want);
    sbuf_free(&out);
}

static void golden_texts(void **state)
{
    struct report d = deadlock(), l = long_race(), h = heap();
    against("deadlock", &d, 0);
    against("colours", &d, 1);
    against("long", &l, 0);
    against("heap", &h, 0);
    report_free(&d);
    report_free(&l);
    report_free(&h);
}

static void fits_its_width(void **state)
{
    struct report l = long_race();
    for (int width = 80; width <= 120; width += 20) {
        struct sbuf out = {0};
        report_text(&l, (struct style){.width = width}, &out);
        char *save = NULL;
        for (char *line = strtok_r(out.s, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
            assert_true(style_columns(line) <= (size_t)width);
        sbuf_free(&out);
    }
    report_free(&l);
}

static void verdict_is(struct report r, const char *want)
{
    struct sbuf out = {0};
    report_verdict(&r, (struct style){.width = 100}, &out);
    assert_string_equal(sbuf_str(&out), want);
    sbuf_free(&out);
}

static void verdicts(void **state)
{
    struct report r = {.verdict = "safe", .guarantee = "every interleaving", .complete = 1};
    verdict_is(r, "safe: every interleaving was explored, no bug\n");
    r.verdict = "incomplete";
    r.depth = 10;
    verdict_is(r, "incomplete: no bug in 0 executions, but alternatives were tried in the first 10 "
                  "steps only (--depth)\n");
    r = (struct report){.verdict = "incomplete", .bounded_search = 1, .bound = 2, .races_off = 1,
                        .bound_unit = "preemption", .executions = 40};
    verdict_is(r, "safe up to 2 preemptions: no bug with ≤ 2 preemptions; 40 executions\n");
    r = (struct report){.verdict = "incomplete", .executions = 1000, .incomplete = "the time was up",
                        .fraction = 0.2, .estimate = 5000, .spread = 300};
    verdict_is(r, "incomplete: no bug in 1,000 executions, but the time was up (roughly 20% of an "
                  "estimated 5,000, which may be 1,925 to 17,000)\n");
    r.spread = 3000;
    verdict_is(r, "incomplete: no bug in 1,000 executions, but the time was up (of at least 1,250; "
                  "how many in all is not known yet)\n");
}

static void json(void **state)
{
    struct report d = deadlock();
    struct sbuf out = {0};
    report_json(&d, &out);
    static const char *const want[] = {
        "{\"raddle\":1,\"verdict\":\"bug\"", "\"engine\":\"dfs\"", "\"executions\":1234",
        "\"blocked\":0", "\"events\":56789", "\"seconds\":1.5", "\"complete\":false", "\"bound\":null",
        "\"findings\":[{\"kind\":\"deadlock\",\"message\":\"deadlock: no thread can go on\"",
        "\"location\":\"prog.c:12\"", "\"threads\":[{\"id\":1", "\"preemptions\":1",
        "\"schedule\":\"raddle-out/prog-1\"", "\"steps\":\"0x2 1x2 2x1\"", "\"inputs\":{}}]}"};
    for (size_t i = 0; i < sizeof want / sizeof want[0]; i++)
        if (!strstr(sbuf_str(&out), want[i]))
            fail_msg("%s is not in %s", want[i], sbuf_str(&out));
    sbuf_free(&out);
    report_free(&d);
}

static void save(const char *directory, const char *name, const char *text, size_t n)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *f = fopen(path, "w");
    assert_int_equal(fwrite(text, 1, n, f), n);
    fclose(f);
}

static void folder(void **state)
{
    char directory[] = "/tmp/raddle-test-XXXXXX", command[600];
    assert_non_null(mkdtemp(directory));
    struct report d = deadlock(), back;
    struct sbuf summary = {0}, schedule = {0}, again = {0};
    vec_push(&d.warnings, mem_strdup("two\nlines"));
    d.seconds = 0.0076826149999; /* not to be rounded twice */
    report_format_summary(&d, &summary);
    schedule_format(&d.findings.items[0].schedule, &schedule);
    save(directory, "summary", sbuf_str(&summary), summary.len);
    save(directory, "schedule", sbuf_str(&schedule), schedule.len);
    save(directory, "story", "damaged", 7);
    struct error e = {0};
    if (report_load(&back, directory, &e))
        fail_msg("%s", e.what);
    report_format_summary(&back, &again);
    assert_string_equal(sbuf_str(&again), sbuf_str(&summary));
    assert_true(back.seconds == d.seconds);
    assert_int_equal(back.findings.count, 1);
    assert_string_equal(back.findings.items[0].file, directory);
    sbuf_free(&again);
    report_text(&back, (struct style){.width = 80}, &again); /* without a recording */
    assert_non_null(strstr(sbuf_str(&again), "could not be recorded"));
    report_free(&back);
    save(directory, "summary", "what?\n", 6);
    assert_int_equal(report_load(&back, directory, &e), -1);
    assert_non_null(strstr(e.what, "not an output folder"));
    snprintf(command, sizeof command, "rm -rf %s", directory);
    assert_int_equal(system(command), 0);
    sbuf_free(&summary);
    sbuf_free(&schedule);
    sbuf_free(&again);
    report_free(&d);
}

/* Cut at every length it is either refused or read as far as it goes. */
static void damaged_recordings(void **state)
{
    begin();
    event(0, EV_CREATE, 1, 0, 0);
    note(0, "text");
    stack(0, EV_JOIN, 1);
    struct finding f = found(FINDING_ASSERT, 0, 0, "assertion failed");
    put_finding(&f);
    off_t size = lseek(story, 0, SEEK_END);
    for (off_t n = size; n >= 0; n -= 3) {
        struct tale t;
        assert_int_equal(ftruncate(story, n), 0);
        if (tale_read(&t, story, "story", NULL) == 0)
            tale_free(&t);
        else
            assert_true(n < (off_t)sizeof(struct story_header));
    }
    close(story);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden_texts), cmocka_unit_test(fits_its_width), cmocka_unit_test(verdicts),
        cmocka_unit_test(json),         cmocka_unit_test(folder),
        cmocka_unit_test(damaged_recordings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
