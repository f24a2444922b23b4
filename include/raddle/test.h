/* raddle/test.h: unit tests of concurrent code, each explored by itself.
 *
 *     #include <raddle/test.h>
 *
 *     RADDLE_TEST(queue_keeps_order)
 *     {
 *         …                               // threads and all; a failed assertion fails the test
 *     }
 *
 *     RADDLE_TEST_WITH(stress, "--engine pct --max-executions 5000")
 *     {
 *         …
 *     }
 *
 * Built with raddle cc, "raddle test ./tests" explores every test and prints TAP. Built with a plain
 * compiler, or started without raddle, the program runs every test once, each in a process of its own,
 * and prints TAP too. Arguments select tests by name, with * and ?. The tests may be spread over
 * several files. A program that defines RADDLE_TEST_NO_MAIN calls raddle_test_main itself.
 *
 * For C99 and later and C++11 and later. Licence: MIT. */
#ifndef RADDLE_TEST_H
#define RADDLE_TEST_H

#include <raddle.h>

#include <fnmatch.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __cplusplus
extern "C" {
#endif

struct raddle_test {
    const char *name, *options;
    void (*run)(void);
    struct raddle_test *next;
};

/* The first test; one list for all files of a program. */
__attribute__((weak)) struct raddle_test *raddle_tests_;

static __inline__ __attribute__((unused)) void raddle_test_add_(struct raddle_test *t)
{
    struct raddle_test **last = &raddle_tests_;
    while (*last)
        last = &(*last)->next;
    *last = t;
}

/* options: as for raddle run, separated by blanks. */
#define RADDLE_TEST_WITH(name, options)                                                            \
    static void raddle_test_##name(void);                                                          \
    __attribute__((constructor)) static void raddle_test_add_##name(void)                          \
    {                                                                                              \
        static struct raddle_test entry = {#name, options, raddle_test_##name, 0};                 \
        raddle_test_add_(&entry);                                                                  \
    }                                                                                              \
    static void raddle_test_##name(void)

#define RADDLE_TEST(name) RADDLE_TEST_WITH(name, "")

static __inline__ __attribute__((unused)) int raddle_test_wanted_(const char *name, int argc,
                                                                  char **argv)
{
    int i;
    for (i = 1; i < argc; i++)
        if (!fnmatch(argv[i], name, 0))
            return 1;
    return argc < 2;
}

/* Once, without raddle, in a process of its own. */
static __inline__ __attribute__((unused)) int raddle_test_passes_(const struct raddle_test *t)
{
    int status = 1;
    pid_t child;
    fflush(NULL);
    child = fork();
    if (child == 0) {
        t->run();
        fflush(NULL);
        _exit(0);
    }
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

/* What "raddle test" asks for: --raddle-list prints the tests, --raddle-test NAME runs one. */
static __inline__ __attribute__((unused)) int raddle_test_main(int argc, char **argv)
{
    const struct raddle_test *t;
    int number = 0, failed = 0;
    if (argc == 2 && !strcmp(argv[1], "--raddle-list")) {
        for (t = raddle_tests_; t; t = t->next)
            printf("%s\t%s\n", t->name, t->options);
        return 0;
    }
    if (argc == 3 && !strcmp(argv[1], "--raddle-test")) {
        for (t = raddle_tests_; t && strcmp(t->name, argv[2]); t = t->next)
            ;
        if (t)
            t->run();
        return t ? 0 : 2;
    }
    for (t = raddle_tests_; t; t = t->next)
        if (raddle_test_wanted_(t->name, argc, argv)) {
            int passes = raddle_test_passes_(t);
            failed += !passes;
            printf("%s %d - %s\n", passes ? "ok" : "not ok", ++number, t->name);
        }
    printf("1..%d\n", number);
    return failed > 0;
}

#ifdef __cplusplus
}
#endif

#ifndef RADDLE_TEST_NO_MAIN
__attribute__((weak)) int main(int argc, char **argv)
{
    return raddle_test_main(argc, argv);
}
#endif

#endif
