/* The functions of libc that programs with symbolic inputs use in the place of the originals, against the
 * originals: the same results for random strings over a small alphabet, for conversions of numbers, and for
 * options of random command lines. */
#include "rewrite/libc.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

/* What the runtime gives them. */
uint32_t raddle_sym_cells = 1; /* never the originals */
static int lost;
int raddle_sym_stream(int fd) { return 0; }
void raddle_sym_moved(int fd) {}
void raddle_sym_closed(int fd) {}
void raddle_sym_lost(void) { lost++; }
void raddle_sym_force_memory(uintptr_t at, uint64_t size) {}
void raddle_sym_put(int c) {}
void raddle_sym_pointer(uintptr_t callee, uintptr_t at) {}

#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#include "rewrite/libc.c"
#include "rewrite/libc_format.c"
#include "rewrite/libc_scan.c"
#include "rewrite/libc_options.c"

int raddle_sym_fgetc(FILE *f) { return fgetc(f); }
int raddle_sym_ungetc(int c, FILE *f) { return ungetc(c, f); }

static char *random_text(char *to, int room)
{
    static const char alphabet[] = "aAbB ,,01x-+\t";
    int n = rand() % room;
    for (int i = 0; i < n; i++)
        to[i] = alphabet[(size_t)rand() % (sizeof alphabet - 1)];
    to[n] = 0;
    return to;
}

static int sign(int x)
{
    return (x > 0) - (x < 0);
}

static void strings_are_libcs(void **state)
{
    char a[12], b[4], c[40], d[40];
    for (int i = 0; i < 100000; i++) {
        random_text(a, sizeof a);
        random_text(b, sizeof b);
        size_t n = (size_t)rand() % 12;
        assert_int_equal(raddle_sym_strlen(a), strlen(a));
        assert_int_equal(raddle_sym_strnlen(a, n), strnlen(a, n));
        assert_int_equal(raddle_sym_strcmp(a, b), sign(strcmp(a, b)));
        assert_int_equal(raddle_sym_strncmp(a, b, n), sign(strncmp(a, b, n)));
        assert_int_equal(raddle_sym_strcasecmp(a, b), sign(strcasecmp(a, b)));
        assert_int_equal(raddle_sym_strncasecmp(a, b, n), sign(strncasecmp(a, b, n)));
        assert_ptr_equal(raddle_sym_strchr(a, *b), strchr(a, *b));
        assert_ptr_equal(raddle_sym_strrchr(a, *b), strrchr(a, *b));
        assert_ptr_equal(raddle_sym_strchrnul(a, *b), strchrnul(a, *b));
        assert_ptr_equal(raddle_sym_memrchr(a, *b, strlen(a)), memrchr(a, *b, strlen(a)));
        assert_ptr_equal(raddle_sym_memchr(a, *b, strlen(a)), memchr(a, *b, strlen(a)));
        assert_ptr_equal(raddle_sym_strstr(a, b), strstr(a, b));
        assert_ptr_equal(raddle_sym_strcasestr(a, b), strcasestr(a, b));
        assert_ptr_equal(raddle_sym_memmem(a, strlen(a), b, strlen(b)), memmem(a, strlen(a), b, strlen(b)));
        assert_int_equal(raddle_sym_strspn(a, b), strspn(a, b));
        assert_int_equal(raddle_sym_strcspn(a, b), strcspn(a, b));
        assert_ptr_equal(raddle_sym_strpbrk(a, b), strpbrk(a, b));
        strcpy(c, a);
        strcpy(d, a);
        assert_string_equal(raddle_sym_strncat(c, b, n), strncat(d, b, n));
        assert_int_equal(raddle_sym_stpcpy(c, b) - c, stpcpy(d, b) - d);
    }
}

static void tokens_are_libcs(void **state)
{
    char a[12], b[12], set[4];
    for (int i = 0; i < 20000; i++) {
        char *rest = NULL, *other = NULL, *x = strcpy(b, random_text(a, sizeof a)), *y = a;
        random_text(set, sizeof set);
        do {
            x = raddle_sym_strtok_r(x == b ? b : NULL, set, &rest);
            y = strtok_r(y == a ? a : NULL, set, &other);
            assert_int_equal(x != NULL, y != NULL);
            if (x)
                assert_int_equal(x - b, y - a);
        } while (x && x != b);
    }
}

static void numbers_are_libcs(void **state)
{
    static const char *const some[] = {"9223372036854775807", "9223372036854775808", "-9223372036854775809",
                                       "18446744073709551616", "0x", "0xg", "  -0x1F", "+-1", "", "08"};
    char a[24], *x, *y;
    for (int i = 0; i < 100000; i++) {
        static const int bases[] = {0, 8, 10, 16, 2, 36};
        int base = bases[rand() % 6];
        if (i < 60)
            strcpy(a, some[i % 10]);
        else
            random_text(a, 10);
        assert_true(raddle_sym_strtol(a, &x, base) == strtol(a, &y, base) && x == y);
        assert_true(raddle_sym_strtoul(a, &x, base) == strtoul(a, &y, base) && x == y);
        assert_true(raddle_sym_atoi(a) == atoi(a));
    }
}

static void characters_are_libcs(void **state)
{
    for (int c = -1; c < 256; c++) {
        assert_int_equal(!!raddle_sym_isalnum(c), !!isalnum(c));
        assert_int_equal(!!raddle_sym_isspace(c), !!isspace(c));
        assert_int_equal(!!raddle_sym_isprint(c), !!isprint(c));
        assert_int_equal(!!raddle_sym_ispunct(c), !!ispunct(c));
        assert_int_equal(!!raddle_sym_iscntrl(c), !!iscntrl(c));
        assert_int_equal(!!raddle_sym_isgraph(c), !!isgraph(c));
        assert_int_equal(!!raddle_sym_isblank(c), !!isblank(c));
        assert_int_equal(!!raddle_sym_isxdigit(c), !!isxdigit(c));
        assert_int_equal(raddle_sym_toupper(c), toupper(c));
        assert_int_equal(raddle_sym_tolower(c), tolower(c));
    }
}

static int by_value(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static void sorts_and_finds(void **state)
{
    int a[9], b[9];
    for (int i = 0; i < 5000; i++) {
        int n = rand() % 9, key = rand() % 10;
        for (int k = 0; k < n; k++)
            a[k] = b[k] = rand() % 10;
        raddle_sym_qsort(a, (size_t)n, sizeof a[0], by_value);
        qsort(b, (size_t)n, sizeof b[0], by_value);
        assert_memory_equal(a, b, (size_t)n * sizeof a[0]);
        const int *x = raddle_sym_bsearch(&key, a, (size_t)n, sizeof a[0], by_value);
        assert_int_equal(x != NULL, bsearch(&key, b, (size_t)n, sizeof b[0], by_value) != NULL);
        assert_true(!x || *x == key);
    }
}

static void formats_are_libcs(void **state)
{
    static const char *const flags[] = {"", "-", "0", "+", " ", "#", "-#", "+0", "0#"};
    static const char *const sizes[] = {"", "hh", "h", "l", "ll", "z"};
    for (int i = 0; i < 50000; i++) {
        char format[32], got[80], want[80];
        int width = rand() % 12, precision = rand() % 8 - 2, room = rand() % 80;
        uint64_t value = (uint64_t)(rand() % 2000 - 1000) << (rand() % 3 ? 0 : 33);
        int n = sprintf(format, "<%%%s", flags[rand() % 9]);
        if (width > 1)
            n += sprintf(format + n, "%d", width);
        if (precision >= 0)
            n += sprintf(format + n, ".%d", precision);
        sprintf(format + n, "%s%c>", sizes[rand() % 6], "diuxXo"[rand() % 6]);
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        int b = snprintf(want, (size_t)room, format, value);
        int a = raddle_sym_snprintf(got, (size_t)room, format, &value);
        assert_int_equal(a, b);
        if (room)
            assert_string_equal(got, want);
    }
    char got[40], want[40];
    uint64_t words[] = {(uint64_t) "text", 'c', (uint64_t)-5, (uint64_t) "more"};
    assert_int_equal(raddle_sym_sprintf(got, "%s|%-3c|%d|%.2s|%%", words),
                     sprintf(want, "%s|%-3c|%d|%.2s|%%", "text", 'c', -5, "more"));
    assert_string_equal(got, want);
    double d = 1.5;
    memcpy(words, &d, 8);
    lost = 0;
    assert_int_equal(raddle_sym_sprintf(got, "%.2f", words), 4);
    assert_string_equal(got, "1.50");
    assert_int_equal(lost, 1);
}

static void scans_as_libc(void **state)
{
    static const char *const formats[] = {"%d %d",  "%i,%i", "%x %u", "%3d%2d", "%c%c", "%s %s",
                                          "%2s%s", "%[ab]%[^ab]", "%*d %d %n", "a%db%d", " %c %c",
                                          "%hhd %hd", "%ld,%ld", "%o %%%d"};
    for (int i = 0; i < 100000; i++) {
        char text[14], x[2][24] = {{0}}, y[2][24] = {{0}};
        const char *f = formats[rand() % 14];
        random_text(text, sizeof text);
        uint64_t words[] = {(uint64_t)x[0], (uint64_t)x[1]};
        int got = raddle_sym_sscanf(text, f, words), want = sscanf(text, f, y[0], y[1]);
        if (got != want)
            fail_msg("sscanf(\"%s\", \"%s\") gives %d, not %d", text, f, got, want);
        if (memcmp(x, y, sizeof x) && want == 2)
            fail_msg("sscanf(\"%s\", \"%s\") stores other values", text, f);
    }
}

enum { WORDS = 7 };
struct told {
    int result, index, at, letter, flag;
    const char *value;
};

static int flagged;
static const struct option names[] = {
    {"all", no_argument, NULL, 'a'},       {"also", no_argument, &flagged, 7},
    {"boo", required_argument, NULL, 'B'}, {"bar", required_argument, NULL, 'B'},
    {"maybe", optional_argument, NULL, 3}, {"b", no_argument, NULL, 'x'}, {0}};

/* What one scan over the words tells, with the originals or with ours. */
static int scan_words(int own, int longs, int argc, char **argv, const char *letters, struct told *to)
{
    int n = 0;
    optind = 0;
    do {
        struct told t = {.index = -1};
        flagged = 0;
        if (own)
            t.result = longs ? raddle_sym_getopt_long(argc, argv, letters, names, &t.index)
                             : raddle_sym_getopt(argc, argv, letters);
        else
            t.result = longs ? getopt_long(argc, argv, letters, names, &t.index)
                             : getopt(argc, argv, letters);
        t.at = optind;
        t.letter = t.result == '?' || t.result == ':' ? optopt : 0;
        t.flag = flagged;
        t.value = optarg;
        to[n] = t;
    } while (to[n++].result != -1 && n < 40);
    return n;
}

static void options_are_libcs(void **state)
{
    static char words[][12] = {"-a", "-b", "x", "-ab", "-bc", "-d", "-dval", "--", "-", "--all", "--al",
                               "--also", "--bo=1", "--boo", "--ba", "--b", "--maybe", "--maybe=",
                               "--nope", "--all=1", "-:", "-?", "y"};
    static const char *const letters[] = {"ab:cd::", "+ab:cd::", "-ab:cd::", ":ab:cd::", "", "b", "+:ab:"};
    opterr = 0;
    for (int i = 0; i < 200000; i++) {
        char *a[WORDS + 1] = {(char[]){"prog"}}, *b[WORDS + 1] = {NULL};
        int argc = 1 + rand() % WORDS, longs = rand() % 2;
        const char *l = letters[(size_t)rand() % (sizeof letters / sizeof letters[0])];
        struct told ours[40], libcs[40];
        for (int k = 1; k < argc; k++)
            a[k] = words[(size_t)rand() % (sizeof words / sizeof words[0])];
        memcpy(b, a, sizeof a);
        int n = scan_words(1, longs, argc, a, l, ours), m = scan_words(0, longs, argc, b, l, libcs);
        assert_int_equal(n, m);
        assert_memory_equal(ours, libcs, (size_t)n * sizeof *ours);
        assert_memory_equal(a, b, sizeof a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strings_are_libcs), cmocka_unit_test(tokens_are_libcs),
        cmocka_unit_test(numbers_are_libcs), cmocka_unit_test(characters_are_libcs),
        cmocka_unit_test(sorts_and_finds), cmocka_unit_test(formats_are_libcs),
        cmocka_unit_test(scans_as_libc), cmocka_unit_test(options_are_libcs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
