/* raddle.h: what a program tested with raddle may call.
 *
 * All of it is optional: raddle tests unmodified programs. A program that uses these calls also
 * compiles, links and runs with a plain compiler and without raddle's library: the runtime's
 * functions are weak references, and each call has a sensible meaning when they are absent.
 *
 *     #include <raddle.h>
 *
 *     int size = 1 + raddle_choose(3);           // explored with 1, 2 and 3
 *     raddle_assume(size != buffer_size);        // not interested in this one
 *     raddle_note("queue of %d", size);          // shown in the schedule of a failure
 *     raddle_assert(queue_length(q) <= size);    // a failure is reported with its schedule
 *
 * For C99 and later and C++11 and later. The macro __RADDLE__ is defined in code compiled by
 * raddle cc. Licence: MIT. */
#ifndef RADDLE_H
#define RADDLE_H

#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The runtime's side. Absent (null) in a program that was not linked by raddle cc. */
void raddle_rt_assert_fail(const char *expr, const char *file, unsigned line, const char *func)
    __attribute__((weak, noreturn));
void raddle_rt_assume_fail(void) __attribute__((weak, noreturn));
int raddle_rt_choose(int n) __attribute__((weak));
void raddle_rt_yield(void) __attribute__((weak));
void raddle_rt_note(const char *fmt, ...) __attribute__((weak, format(printf, 1, 2)));

void raddle_rt_benign(const volatile void *address, size_t size) __attribute__((weak));
int raddle_rt_explores(void) __attribute__((weak));
unsigned long raddle_rt_input_value(const char *name, unsigned long low, unsigned long high,
                                    unsigned size, int is_signed) __attribute__((weak));
void raddle_rt_input_bytes(void *object, size_t size, const char *name, int text)
    __attribute__((weak));

/* These are macros, so that the calls have the location of the line that uses them. Each argument is
 * evaluated at most once. */

/* raddle_assert(cond): fails the execution if cond is false. Unlike assert(3) it is not switched
 * off by NDEBUG. Without raddle: prints the failed condition and aborts. */
#define raddle_assert(cond)                                                                        \
    ((cond)                  ? (void)0                                                             \
     : raddle_rt_assert_fail ? raddle_rt_assert_fail(#cond, __FILE__, __LINE__, __func__)          \
                             : raddle_assert_failed_(#cond, __FILE__, __LINE__, __func__))

/* raddle_assume(cond): abandons this execution, without a verdict on it, if cond is false; the
 * others are explored. Without raddle: ends the program with status 0 if cond is false. */
#define raddle_assume(cond)                                                                        \
    ((cond)                  ? (void)0                                                             \
     : raddle_rt_assume_fail ? raddle_rt_assume_fail()                                             \
                             : raddle_assume_failed_())

/* raddle_choose(n): one of 0 … n-1, n > 0; all of them are explored, in combination with all
 * schedules. Without raddle: 0. */
#define raddle_choose(n) (raddle_rt_choose ? raddle_rt_choose(n) : 0)

/* raddle_yield(): another thread may run here; says that this one waits for something, as in the
 * body of a loop that polls. Without raddle: sched_yield(). */
#define raddle_yield() (raddle_rt_yield ? raddle_rt_yield() : (void)sched_yield())

/* raddle_note(fmt, …): a line of text, formatted as by printf, in the column of this thread in the
 * schedule that is shown with a failure. Without raddle: nothing, and the arguments are not
 * evaluated. */
#define raddle_note(...) (raddle_rt_note ? raddle_rt_note(__VA_ARGS__) : (void)0)

/* RADDLE_ASSUME_BENIGN(object): data races on this variable, array or field are on purpose. They are
 * explored like all others, but are no findings; the report says that there were some.
 * raddle_benign(pointer, size) is the same for any memory. It counts from the call on until the
 * program, or the heap block, ends. Without raddle: nothing. */
#define RADDLE_ASSUME_BENIGN(object) raddle_benign(&(object), sizeof(object))
#define raddle_benign(pointer, size) (raddle_rt_benign ? raddle_rt_benign(pointer, size) : (void)0)

/* raddle_param(name): the value of a parameter in the row of raddle run --inputs MODEL that is being
 * explored, as text; NULL without it. */
static __inline__ __attribute__((unused)) const char *raddle_param(const char *name)
{
    char variable[256];
    snprintf(variable, sizeof variable, "RADDLE_PARAM_%s", name);
    return getenv(variable);
}

/* ---- symbolic inputs -------------------------------------------------------------------------------
 *
 * A program built with raddle cc --symbolic is explored with every relevant value of these, in combination
 * with all schedules. Otherwise the value comes from the environment variable RADDLE_INPUT_name (a number;
 * for objects and strings the bytes themselves), or else from the file that RADDLE_INPUTS names: lines
 * name=value, or a file that raddle run --save-tests wrote, or the file "schedule" of a finding (there the
 * second input of a name gets the second line of that name). Or else it follows from RADDLE_SEED if that is a
 * number; otherwise it is 0, or the value nearest to 0 that is allowed.
 *
 *     raddle_input(&header, sizeof header, "header");   // any plain object or buffer
 *     raddle_input_string(line, sizeof line, "line");   // as above; the last byte is 0
 *     int n = raddle_input_int("n", 1, 100);            // from 1 to 100
 *     bool b = raddle_input_bool("b");
 *
 * The same as raddle_input_int for char, schar, uchar, short, ushort, uint, long, ulong, longlong,
 * ulonglong, size_t (raddle_input_size), int8 … int64 and uint8 … uint64. */

/* How many inputs of this name there were before. */
struct raddle_input_name_ { unsigned long hash, times; };
extern struct raddle_input_name_ raddle_input_names_[256];
__attribute__((weak)) struct raddle_input_name_ raddle_input_names_[256];

static __inline__ __attribute__((unused)) unsigned long raddle_input_hash_(unsigned long hash,
                                                                          const char *name)
{
    while (*name)
        hash = (hash ^ (unsigned char)*name++) * 1099511628211ul;
    hash ^= hash >> 29;
    hash *= 0xbf58476d1ce4e5b9ul;
    return (hash ^ hash >> 32) | 1;
}

static __inline__ __attribute__((unused)) unsigned long raddle_input_times_(const char *name)
{
    unsigned long hash = raddle_input_hash_(0, name), i = hash >> 8, none;
    for (int k = 0; k < 256; k++, i++) {
        struct raddle_input_name_ *n = &raddle_input_names_[i & 255];
        none = 0;
        if (__atomic_compare_exchange_n(&n->hash, &none, hash, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST) ||
            none == hash)
            return __atomic_fetch_add(&n->times, 1, __ATOMIC_SEQ_CST);
    }
    return 0;
}

/* A line [input] THREAD.INDEX TYPE VALUE NAME becomes its value; NULL if it is not of this name. */
static __inline__ __attribute__((unused)) const char *raddle_input_saved_(char *line, const char *name,
                                                                         int *is_hex)
{
    line += strncmp(line, "input ", 6) ? 0 : 6;
    char *type = strchr(line, ' '), *value = type ? strchr(type + 1, ' ') : NULL;
    char *its_name = value ? strchr(value + 1, ' ') : NULL;
    if (!its_name || strcmp(its_name + 1, name))
        return NULL;
    *its_name = 0;
    *is_hex = type[1] == 'b' || type[1] == 't';
    return value + 1;
}

static __inline__ __attribute__((unused)) const char *raddle_input_given_(const char *name, char *line,
                                                                         size_t room, unsigned long times,
                                                                         int *is_hex)
{
    snprintf(line, room, "RADDLE_INPUT_%s", name);
    const char *value = getenv(line), *path = getenv("RADDLE_INPUTS");
    FILE *f = value || !path ? NULL : fopen(path, "r");
    size_t n = strlen(name);
    *is_hex = 0;
    while (f && !value && fgets(line, (int)room, f)) {
        line[strcspn(line, "\n")] = 0;
        if (!strncmp(line, name, n) && line[n] == '=')
            value = line + n + 1;
        else if ((value = raddle_input_saved_(line, name, is_hex)) && times-- > 0)
            value = NULL;
    }
    if (f)
        fclose(f);
    return value;
}

/* Numbers that follow from RADDLE_SEED, the name and how often it came; is there a seed? */
static __inline__ __attribute__((unused)) int raddle_input_drawn_(const char *name, unsigned long times,
                                                                  unsigned long at, unsigned long *drawn)
{
    const char *seed = getenv("RADDLE_SEED");
    if (!seed || !*seed)
        return 0;
    *drawn = raddle_input_hash_(strtoul(seed, NULL, 0) * 0x9e3779b97f4a7c15ul + times * 64 + at, name) >> 1;
    *drawn ^= raddle_input_hash_(*drawn, name) << 32;
    return 1;
}

static __inline__ __attribute__((unused)) unsigned long raddle_input_plain_(const char *name,
                                                                           unsigned long low,
                                                                           unsigned long high,
                                                                           int is_signed)
{
    char line[1024];
    int is_hex;
    unsigned long times = raddle_input_times_(name), drawn;
    const char *given = raddle_input_given_(name, line, sizeof line, times, &is_hex);
    if (given) {
        char *end;
        unsigned long v = is_signed ? (unsigned long)strtol(given, &end, 0) : strtoul(given, &end, 0);
        if (end != given && !*end &&
            (is_signed ? (long)v >= (long)low && (long)v <= (long)high : v >= low && v <= high))
            return v;
        fprintf(stderr, is_signed ? "input %s: '%s' is no number from %ld to %ld\n"
                                  : "input %s: '%s' is no number from %lu to %lu\n", name, given, low, high);
        exit(2);
    }
    if (raddle_input_drawn_(name, times, 0, &drawn))
        return high - low + 1 ? low + drawn % (high - low + 1) : drawn;
    if (is_signed && (long)high < 0)
        return high;
    return is_signed && (long)low < 0 ? 0 : low;
}

static __inline__ __attribute__((unused)) int raddle_input_digit_(char c)
{
    return c >= 'a' ? c - 'a' + 10 : c - '0';
}

static __inline__ __attribute__((unused)) void raddle_input_copy_(void *object, size_t size,
                                                                  const char *name)
{
    size_t room = 2 * size + 1024;
    char *line = (char *)malloc(room), *to = (char *)object;
    int is_hex = 0;
    unsigned long times = raddle_input_times_(name), drawn;
    const char *given = line ? raddle_input_given_(name, line, room, times, &is_hex) : NULL;
    for (size_t i = 0; i < size; i++) {
        to[i] = 0;
        if (given && is_hex && given[0] && given[1]) {
            to[i] = (char)(raddle_input_digit_(given[0]) << 4 | raddle_input_digit_(given[1]));
            given += 2;
        } else if (given && !is_hex && *given) {
            to[i] = *given++;
        } else if (!given && raddle_input_drawn_(name, times, i + 1, &drawn)) {
            to[i] = (char)drawn;
        }
    }
    free(line);
}

#define raddle_input_explored_() (raddle_rt_explores && raddle_rt_explores())

#define RADDLE_INPUT_VALUE_(type, name, low, high, is_signed)                                      \
    ((type)(raddle_input_explored_()                                                               \
                ? raddle_rt_input_value(name, (unsigned long)(low), (unsigned long)(high),         \
                                        sizeof(type), is_signed)                                   \
                : raddle_input_plain_(name, (unsigned long)(low), (unsigned long)(high), is_signed)))

#define raddle_input_char(name, low, high) RADDLE_INPUT_VALUE_(char, name, low, high, (char)-1 < 0)
#define raddle_input_schar(name, low, high) RADDLE_INPUT_VALUE_(signed char, name, low, high, 1)
#define raddle_input_uchar(name, low, high) RADDLE_INPUT_VALUE_(unsigned char, name, low, high, 0)
#define raddle_input_short(name, low, high) RADDLE_INPUT_VALUE_(short, name, low, high, 1)
#define raddle_input_ushort(name, low, high) RADDLE_INPUT_VALUE_(unsigned short, name, low, high, 0)
#define raddle_input_int(name, low, high) RADDLE_INPUT_VALUE_(int, name, low, high, 1)
#define raddle_input_uint(name, low, high) RADDLE_INPUT_VALUE_(unsigned, name, low, high, 0)
#define raddle_input_long(name, low, high) RADDLE_INPUT_VALUE_(long, name, low, high, 1)
#define raddle_input_ulong(name, low, high) RADDLE_INPUT_VALUE_(unsigned long, name, low, high, 0)
#define raddle_input_longlong(name, low, high) RADDLE_INPUT_VALUE_(long long, name, low, high, 1)
#define raddle_input_ulonglong(name, low, high) RADDLE_INPUT_VALUE_(unsigned long long, name, low, high, 0)
#define raddle_input_size(name, low, high) RADDLE_INPUT_VALUE_(size_t, name, low, high, 0)
#define raddle_input_int8(name, low, high) RADDLE_INPUT_VALUE_(int8_t, name, low, high, 1)
#define raddle_input_uint8(name, low, high) RADDLE_INPUT_VALUE_(uint8_t, name, low, high, 0)
#define raddle_input_int16(name, low, high) RADDLE_INPUT_VALUE_(int16_t, name, low, high, 1)
#define raddle_input_uint16(name, low, high) RADDLE_INPUT_VALUE_(uint16_t, name, low, high, 0)
#define raddle_input_int32(name, low, high) RADDLE_INPUT_VALUE_(int32_t, name, low, high, 1)
#define raddle_input_uint32(name, low, high) RADDLE_INPUT_VALUE_(uint32_t, name, low, high, 0)
#define raddle_input_int64(name, low, high) RADDLE_INPUT_VALUE_(int64_t, name, low, high, 1)
#define raddle_input_uint64(name, low, high) RADDLE_INPUT_VALUE_(uint64_t, name, low, high, 0)
#define raddle_input_bool(name) (RADDLE_INPUT_VALUE_(unsigned char, name, 0, 1, 0) != 0)

#define raddle_input(object, size, name)                                                           \
    (raddle_input_explored_() ? raddle_rt_input_bytes(object, size, name, 0)                       \
                              : raddle_input_copy_(object, size, name))
#define raddle_input_string(buffer, size, name)                                                    \
    (raddle_input_explored_()                                                                      \
         ? raddle_rt_input_bytes(buffer, size, name, 1)                                            \
         : (raddle_input_copy_(buffer, (size) - 1, name), (void)((buffer)[(size) - 1] = 0)))

/* What the macros mean without raddle; not to be called. */
static __inline__ __attribute__((unused, noreturn, cold)) void
raddle_assert_failed_(const char *expr, const char *file, unsigned line, const char *func)
{
    fprintf(stderr, "%s:%u: %s: assertion '%s' failed\n", file, line, func, expr);
    abort();
}

static __inline__ __attribute__((unused, noreturn, cold)) void raddle_assume_failed_(void)
{
    fflush(NULL);
    _Exit(0);
}

#ifdef __cplusplus
}
#endif

#endif
