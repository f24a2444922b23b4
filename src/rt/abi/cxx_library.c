/* Functions of the compiled C++ library whose accesses matter to others: the library is not instrumented, so
 * what they read and write of the program's is told to the race check here, in their place, before (or
 * after) they do it. The names are those of the Itanium ABI; offsets are libstdc++'s, which do not change.
 *
 * Streams: every formatted or unformatted operation first makes a sentry of the stream, in the library as in
 * the program. It counts as a write of the buffer's position, which is also what functions compiled with the
 * program access. Those of the standard streams may be used by several threads at once as long as they go
 * through to C's streams (std::ios::sync_with_stdio), which is seen by the type of their buffer. */
#include "rt/abi/access.h"
#include "rt/core/interpose.h"

#define IOS_BUFFER 232 /* in basic_ios: its streambuf */
#define GOT 8          /* in basic_istream: the number of characters that the last operation read */
#define READ_AT 16     /* in basic_streambuf: where reading goes on */
#define WRITE_AT 40    /* … and writing */
#define TEXT_LENGTH 8  /* in std::string */

struct stream; /* std::istream, std::ostream, and those of wchar_t */

static uintptr_t word(uintptr_t address)
{
    return (uintptr_t)access_look(address, sizeof(uintptr_t));
}

static bool goes_to_c(uintptr_t buffer)
{
    static uintptr_t narrow, wide; /* tables of virtual functions */
    if (!narrow) {
        narrow = (uintptr_t)rt_real("_ZTVN9__gnu_cxx18stdio_sync_filebufIcSt11char_traitsIcEEE") + 16;
        wide = (uintptr_t)rt_real("_ZTVN9__gnu_cxx18stdio_sync_filebufIwSt11char_traitsIwEEE") + 16;
    }
    uintptr_t table = word(buffer);
    return table == narrow || table == wide;
}

/* basic_ios is a virtual base: its place is told by the table of virtual functions. */
static uintptr_t buffer_of(const struct stream *s)
{
    uintptr_t at = (uintptr_t)s;
    uintptr_t buffer = word(at + word(word(at) - 24) + IOS_BUFFER);
    return buffer && !goes_to_c(buffer) ? buffer : 0;
}

static void writes(const struct stream *s, uint64_t pc)
{
    uintptr_t buffer = rt.active ? buffer_of(s) : 0;
    if (buffer)
        access_range(buffer + WRITE_AT, sizeof(uintptr_t), true, pc);
}

static void reads(const struct stream *s, uint64_t pc)
{
    uintptr_t buffer = rt.active ? buffer_of(s) : 0;
    if (!buffer)
        return;
    access_range(buffer + WRITE_AT, sizeof(uintptr_t), false, pc); /* what was written can be read */
    access_range(buffer + READ_AT, sizeof(uintptr_t), true, pc);
}

#define OUT(name)                                                                                  \
    RT_EXPORT void name(void *sentry, struct stream *s);                                           \
    void name(void *sentry, struct stream *s)                                                      \
    {                                                                                              \
        writes(s, RT_CALLER());                                                                    \
        REAL(name)(sentry, s);                                                                     \
    }
OUT(_ZNSo6sentryC1ERSo)
OUT(_ZNSo6sentryC2ERSo)
OUT(_ZNSt13basic_ostreamIwSt11char_traitsIwEE6sentryC1ERS2_)
OUT(_ZNSt13basic_ostreamIwSt11char_traitsIwEE6sentryC2ERS2_)

#define IN(name)                                                                                   \
    RT_EXPORT void name(void *sentry, struct stream *s, bool as_it_is);                            \
    void name(void *sentry, struct stream *s, bool as_it_is)                                       \
    {                                                                                              \
        reads(s, RT_CALLER());                                                                     \
        REAL(name)(sentry, s, as_it_is);                                                           \
    }
IN(_ZNSi6sentryC1ERSib)
IN(_ZNSi6sentryC2ERSib)
IN(_ZNSt13basic_istreamIwSt11char_traitsIwEE6sentryC1ERS2_b)
IN(_ZNSt13basic_istreamIwSt11char_traitsIwEE6sentryC2ERS2_b)

/* ---- what is read is stored in a variable ---- */

#define INTO(name, size)                                                                           \
    RT_EXPORT struct stream *name(struct stream *s, void *to);                                     \
    struct stream *name(struct stream *s, void *to)                                                \
    {                                                                                              \
        if (rt.active)                                                                             \
            access_range((uintptr_t)to, size, true, RT_CALLER());                                  \
        return REAL(name)(s, to);                                                                  \
    }
INTO(_ZNSirsERb, 1)
INTO(_ZNSirsERs, 2)
INTO(_ZNSirsERt, 2)
INTO(_ZNSirsERi, 4)
INTO(_ZNSirsERj, 4)
INTO(_ZNSirsERl, 8)
INTO(_ZNSirsERm, 8)
INTO(_ZNSirsERx, 8)
INTO(_ZNSirsERy, 8)
INTO(_ZNSirsERf, 4)
INTO(_ZNSirsERd, 8)
INTO(_ZNSirsERe, 10)
INTO(_ZNSirsERPv, 8)
INTO(_ZNSi10_M_extractIbEERSiRT_, 1)
INTO(_ZNSi10_M_extractItEERSiRT_, 2)
INTO(_ZNSi10_M_extractIjEERSiRT_, 4)
INTO(_ZNSi10_M_extractIlEERSiRT_, 8)
INTO(_ZNSi10_M_extractImEERSiRT_, 8)
INTO(_ZNSi10_M_extractIxEERSiRT_, 8)
INTO(_ZNSi10_M_extractIyEERSiRT_, 8)
INTO(_ZNSi10_M_extractIfEERSiRT_, 4)
INTO(_ZNSi10_M_extractIdEERSiRT_, 8)
INTO(_ZNSi10_M_extractIeEERSiRT_, 10)
INTO(_ZNSi10_M_extractIPvEERSiRT_, 8)
INTO(_ZStrsIcSt11char_traitsIcEERSt13basic_istreamIT_T0_ES6_RS3_, 1)
INTO(_ZNSi3getERc, 1)

/* operator>> and getline of a std::string. */
#define OF_TEXT "IcSt11char_traitsIcESaIcEERSt13basic_istreamIT_T0_ES7_RNSt7__cxx1112basic_stringIS4_S5_T1_EE"
RT_EXPORT struct stream *read_word(struct stream *s, char *to, char end) __asm__("_ZStrs" OF_TEXT);
RT_EXPORT struct stream *read_line(struct stream *s, char *to, char end) __asm__("_ZSt7getline" OF_TEXT);
RT_EXPORT struct stream *read_part(struct stream *s, char *to,
                                   char end) __asm__("_ZSt7getline" OF_TEXT "S4_");

static void changes_text(const char *text, uint64_t pc)
{
    if (rt.active)
        access_range((uintptr_t)text + TEXT_LENGTH, sizeof(size_t), true, pc);
}

#define INTO_TEXT(function, name)                                                                  \
    struct stream *function(struct stream *s, char *to, char end)                                  \
    {                                                                                              \
        static __typeof__(&function) real;                                                         \
        changes_text(to, RT_CALLER());                                                             \
        if (!real)                                                                                 \
            real = rt_real(name);                                                                  \
        return real(s, to, end);                                                                   \
    }
INTO_TEXT(read_word, "_ZStrs" OF_TEXT)
INTO_TEXT(read_line, "_ZSt7getline" OF_TEXT)
INTO_TEXT(read_part, "_ZSt7getline" OF_TEXT "S4_")

RT_EXPORT struct stream *_ZNSi4readEPcl(struct stream *s, char *to, long size);
struct stream *_ZNSi4readEPcl(struct stream *s, char *to, long size)
{
    struct stream *result = REAL(_ZNSi4readEPcl)(s, to, size);
    size_t got = word((uintptr_t)s + GOT);
    if (rt.active && size > 0 && got)
        access_range((uintptr_t)to, got < (size_t)size ? got : (size_t)size, true, RT_CALLER());
    return result;
}

/* ---- other objects ---- */

/* The hash of a string and of other bytes. */
RT_EXPORT size_t _ZSt11_Hash_bytesPKvmm(const void *bytes, size_t size, size_t seed);
size_t _ZSt11_Hash_bytesPKvmm(const void *bytes, size_t size, size_t seed)
{
    if (rt.active && size)
        access_range((uintptr_t)bytes, size, false, RT_CALLER());
    return REAL(_ZSt11_Hash_bytesPKvmm)(bytes, size, seed);
}

/* A resource of std::pmr that does not lock: whatever it does changes it; a word behind the table of virtual
 * functions stands for all. */
static void changes(void *resource, uint64_t pc)
{
    if (rt.active)
        access_range((uintptr_t)resource + sizeof(void *), sizeof(void *), true, pc);
}

#define POOL(name) _ZNSt3pmr28unsynchronized_pool_resource##name
RT_EXPORT void *POOL(11do_allocateEmm)(void *resource, size_t size, size_t alignment);
void *POOL(11do_allocateEmm)(void *resource, size_t size, size_t alignment)
{
    changes(resource, RT_CALLER());
    return REAL(_ZNSt3pmr28unsynchronized_pool_resource11do_allocateEmm)(resource, size, alignment);
}

RT_EXPORT void POOL(13do_deallocateEPvmm)(void *resource, void *p, size_t size, size_t alignment);
void POOL(13do_deallocateEPvmm)(void *resource, void *p, size_t size, size_t alignment)
{
    changes(resource, RT_CALLER());
    REAL(_ZNSt3pmr28unsynchronized_pool_resource13do_deallocateEPvmm)(resource, p, size, alignment);
}
