#include "rt/code/function.h"

#include <link.h>
#include <pthread.h>
#include <sched.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

/* ---- .eh_frame: DWARF, and the Linux Standard Base for the table of .eh_frame_hdr ----------------- */

static const struct frame_header {
    uint8_t version, frame_encoding, count_encoding, table_encoding;
    int32_t frame;
    uint32_t count;
    struct frame_row {
        int32_t start, description; /* relative to the header */
    } rows[];
} *header;

#define RELATIVE_4 0x1b /* to the place itself, 4 bytes */

static int find_header(struct dl_phdr_info *info, size_t size, void *unused)
{
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_GNU_EH_FRAME)
            header = (const void *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
    if (header && (header->version != 1 || header->count_encoding != 3 || header->table_encoding != 0x3b))
        header = NULL;
    return 1; /* the program comes first */
}

void function_init(void)
{
    dl_iterate_phdr(find_header, NULL);
}

/* The description of frames without handlers: "zR", and the start of a function as above. */
static bool is_plain(const uint8_t *common)
{
    const uint8_t *text = common + 9;
    return text[0] == 'z' && text[1] == 'R' && !text[2] && text[3] == 1 && text[4] < 0x80 && text[5] < 0x80 &&
           text[6] == 1 && text[7] == RELATIVE_4;
}

bool function_find(uintptr_t pc, struct function *out)
{
    if (!header)
        return false;
    int64_t offset = (int64_t)(pc - (uintptr_t)header);
    uint32_t low = 0, high = header->count;
    while (high - low > 1) {
        uint32_t middle = (low + high) / 2;
        *(header->rows[middle].start <= offset ? &low : &high) = middle;
    }
    if (!header->count || header->rows[low].start > offset)
        return false;
    /* length, distance of the common part from here, start, size */
    const uint8_t *d = (const uint8_t *)header + header->rows[low].description;
    const uint32_t *word = (const uint32_t *)d;
    out->start = (uintptr_t)header + (uintptr_t)(intptr_t)header->rows[low].start;
    out->size = word[3];
    return is_plain(d + 4 - word[1]) && pc - out->start < out->size && out->size <= FUNCTION_BYTES;
}

/* ---- hooks --------------------------------------------------------------------------------------- */

/* Its place in the list, from 1 on; 0: it is not there. */
static unsigned among(uintptr_t f, const uintptr_t *all, unsigned n)
{
    while (n && all[n - 1] != f)
        n--;
    return n;
}

#define SIZES(X, name) X(name, 8, 1) X(name, 16, 2) X(name, 32, 4) X(name, 64, 8) X(name, 128, 16)
#define ACCESSES(X)                                                                                \
    SIZES(X, read) SIZES(X, write) SIZES(X, unaligned_read) SIZES(X, unaligned_write)              \
    SIZES(X, volatile_read) SIZES(X, volatile_write) SIZES(X, read_write)
#define ATOMICS(X)                                                                                 \
    SIZES(X, load) SIZES(X, exchange) SIZES(X, compare_exchange_val) SIZES(X, fetch_add)           \
    SIZES(X, fetch_sub) SIZES(X, fetch_and) SIZES(X, fetch_or) SIZES(X, fetch_xor) SIZES(X, fetch_nand)
#define COMPARISONS(X) SIZES(X, compare_exchange_strong) SIZES(X, compare_exchange_weak)

typedef unsigned __int128 uint128_t;
#define DECLARE_ACCESS(name, bits, size) void __tsan_##name##size(void *);
#define DECLARE_ATOMIC(name, bits, size) void __tsan_atomic##bits##_##name(void);
#define DECLARE_STORE(name, bits, size)                                                            \
    void __tsan_atomic##bits##_##name(volatile uint##bits##_t *, uint##bits##_t, int);
ACCESSES(DECLARE_ACCESS)
ATOMICS(DECLARE_ATOMIC)
COMPARISONS(DECLARE_ATOMIC)
SIZES(DECLARE_STORE, store)

/* Calls that give way, and say nothing; nanosleep and thrd_sleep look at 16 bytes. */
static unsigned gives_way(uintptr_t f)
{
    const uintptr_t all[] = {(uintptr_t)nanosleep, (uintptr_t)thrd_sleep, (uintptr_t)sched_yield,
                             (uintptr_t)thrd_yield, (uintptr_t)usleep, (uintptr_t)sleep};
    return among(f, all, sizeof all / sizeof all[0]);
}

static unsigned is_mutex(uintptr_t f)
{
    const uintptr_t all[] = {(uintptr_t)pthread_mutex_lock, (uintptr_t)pthread_mutex_unlock,
                             (uintptr_t)pthread_mutex_trylock, (uintptr_t)pthread_spin_lock,
                             (uintptr_t)pthread_spin_unlock, (uintptr_t)pthread_spin_trylock};
    return among(f, all, sizeof all / sizeof all[0]);
}

#define ACCESS(name, bits, size) (uintptr_t)__tsan_##name##size,
#define ATOMIC(name, bits, size) (uintptr_t)__tsan_atomic##bits##_##name,
static unsigned is_access(uintptr_t f)
{
    const uintptr_t all[] = {ACCESSES(ACCESS)};
    return among(f, all, sizeof all / sizeof all[0]);
}

static unsigned is_atomic(uintptr_t f)
{
    const uintptr_t all[] = {ATOMICS(ATOMIC) SIZES(ATOMIC, store)};
    return among(f, all, sizeof all / sizeof all[0]);
}

static unsigned is_comparison(uintptr_t f)
{
    const uintptr_t all[] = {COMPARISONS(ATOMIC)};
    return among(f, all, sizeof all / sizeof all[0]);
}

static bool in_program(uintptr_t at)
{
    return at - rt.program_start < rt.program_size;
}

/* Of a call: directly, through the table of imports or by a stub that jumps through it. */
static uintptr_t target_of(uintptr_t at, const struct instruction *call)
{
    if (call->base == RIP)
        return *(const uintptr_t *)(at + call->length + (uintptr_t)(intptr_t)call->displacement);
    const uint8_t *stub = (const uint8_t *)call->target;
    if (!in_program(call->target))
        return call->target;
    if (stub[0] == 0xf3 && stub[1] == 0x0f && stub[2] == 0x1e && stub[3] == 0xfa) /* endbr64 */
        stub += 4;
    stub += stub[0] == 0xf2; /* bnd */
    if (stub[0] != 0xff || stub[1] != 0x25)
        return call->target;
    int32_t distance;
    rt_copy(&distance, stub + 2, sizeof distance);
    return *(const uintptr_t *)((uintptr_t)stub + 6 + (uintptr_t)(intptr_t)distance);
}

/* ---- functions of the program that only give way: cpu_relax(), std::this_thread::yield() ------------- */

#define SPOILED (1u << RAX | 1u << RCX | 1u << RDX | 1u << RSI | 1u << RDI | 15u << R8)
#define SHORT 32 /* instructions, one after the other */
#define DEEP 3

/* It works on registers and on its own frame, below the base that it has set up. */
static bool stays_inside(const struct instruction *i, bool framed)
{
    if (i->effect == EFFECT_PUSH || i->effect == EFFECT_POP || i->effect == EFFECT_LEAVE)
        return true;
    bool own = framed && i->base == RBP && i->index == NO_REG && !i->elsewhere && i->displacement < 0;
    return i->computes && ((!i->loads && !i->stores) || own);
}

static uint16_t written(const struct instruction *i)
{
    uint16_t set = 0;
    for (unsigned r = 0; r < REGS; r++)
        set |= (uint16_t)(i->writes[r] && r != RSP && r != RBP ? 1u << r : 0);
    return set;
}

static bool only_gives_way(uintptr_t at, struct hook_use *use, unsigned depth)
{
    struct instruction i;
    bool framed = false;
    for (unsigned n = 0; n < SHORT && in_program(at) && decode((const uint8_t *)at, 15, &i); n++) {
        uintptr_t target = i.flow == FLOW_CALL || i.flow == FLOW_JUMP ? target_of(at, &i) : 0;
        bool inner = target && !gives_way(target);
        if (i.flow == FLOW_RETURN || (i.flow == FLOW_JUMP && !inner)) {
            use->spoils |= target ? SPOILED : 0;
            use->pauses &= !target;
            return true;
        }
        if (i.flow == FLOW_CALL) {
            use->spoils |= SPOILED;
            use->pauses &= inner;
            if (inner && (depth == DEEP || !only_gives_way(target, use, depth + 1)))
                return false;
        } else if (i.flow != FLOW_ON || !stays_inside(&i, framed)) {
            return false;
        }
        framed |= i.effect == EFFECT_MOVE && i.to == RBP && i.from == RSP;
        use->spoils |= written(&i);
        at += i.length;
    }
    return false;
}

static struct hook_use local_use(uintptr_t target)
{
    struct hook_use use = {.local = target, .arguments = 6, .pauses = true};
    use.gives_way = target && only_gives_way(target, &use, 1);
    return use;
}

/* ---- calls --------------------------------------------------------------------------------------- */

/* A load has two, an update or a store three, a compare-exchange five. */
static uint8_t arguments_of(unsigned atomic)
{
    static const uint8_t of[] = {2, 3, 5, 3, 3, 3, 3, 3, 3, 3};
    return atomic ? of[(atomic - 1) / 5] : 5;
}

struct hook_use function_hook(uintptr_t at, const struct instruction *call)
{
    uintptr_t target = target_of(at, call);
    if (!target || rt_from_program(target))
        return local_use(target);
    unsigned atomic = is_atomic(target), comparison = is_comparison(target), any = atomic | comparison;
    uint8_t bytes = any ? (uint8_t)(1u << (any - 1) % 5) : 0; /* five sizes each */
    unsigned way = any ? 0 : gives_way(target);
    if (way) {
        uint8_t time = way <= 2 ? 16 : 0;
        return (struct hook_use){.hook = true, .reads = {time, time}, .arguments = 2, .gives_way = true,
                                 .spoils = SPOILED};
    }
    bool tells = !any && is_access(target), hook = any || tells, one = hook || is_mutex(target);
    return (struct hook_use){.hook = hook,
                             .tells = tells,
                             .spoils = SPOILED,
                             .reads = {bytes, comparison ? bytes : 0},
                             .loads = atomic && atomic <= 5 ? bytes : 0,
                             .arguments = any ? arguments_of(atomic) : one ? 1 : 6};
}
